"""Which version of Poise this is."""

from importlib.metadata import PackageNotFoundError, version


def this_version() -> str:
    """As it was installed."""
    try:
        return version("poise")
    except PackageNotFoundError:  # run from its sources without being installed
        return "0.0.0+sources"
