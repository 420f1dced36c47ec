"""Builds the studio's page into the package, with a Node from PyPI: none is needed beforehand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):
    """Runs for wheels and for editable installs; a source archive carries only the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        script = Path(self.root) / "src/poise/studio/web/build.py"
        spec = importlib.util.spec_from_file_location("build_page", script)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build()
