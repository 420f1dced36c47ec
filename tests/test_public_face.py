"""`import poise`: everything promised is there, and nothing heavy is loaded before it is used."""

import ast
import inspect
import subprocess
import sys

import pytest

import poise


def fresh(code: str) -> str:
    """What `code` prints in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("name", poise.__all__)
def test_every_exported_name_exists(name):
    assert getattr(poise, name) is not None
    assert name in dir(poise)


def test_editors_and_the_interpreter_see_the_same_names():
    block = next(
        node
        for node in ast.parse(inspect.getsource(poise)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    typed = {alias.asname or alias.name for node in imports for alias in node.names}
    assert typed | {"__version__"} == set(poise.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        _ = poise.sovle


@pytest.mark.parametrize("heavy", ["numpy", "numba", "rich", "cyclopts", "matplotlib"])
def test_importing_poise_imports_nothing_heavy(heavy):
    assert fresh(f"import poise, sys; print({heavy!r} in sys.modules)") == "False"


def test_the_version_is_that_of_the_package():
    assert poise.__version__.count(".") == 2


@pytest.mark.parametrize(
    "before", ["", "import poise.solve", "from poise.solve import Solver", "poise.Solver"]
)
def test_solve_is_the_function_whatever_was_imported_before(before):
    assert fresh(f"import poise\n{before}\nprint(type(poise.solve).__name__)") == "function"
