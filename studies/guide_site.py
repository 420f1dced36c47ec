"""What MkDocs is told beyond mkdocs.yml: formulas become MathML; CHANGELOG.md and errors are pages.

A page asks no other host for anything, so no script may draw the formulas: browsers draw MathML
themselves. In the repository the same pages are plain Markdown with formulas between dollar signs.
"""

from __future__ import annotations

import html
import re
import runpy
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)
FOREIGN = re.compile(r'<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"')
"""What a browser would fetch from another host by itself."""


def on_config(config):
    """Put pages that mkdocs.yml does not name under More, so that none is out of reach."""
    named = str(config.nav)
    pages = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    others = [page for page in pages if f"'{page}'" not in named]
    if others:
        config.nav.append({"More": others})
    return config


def on_files(files, config):
    """Add the pages that are written elsewhere."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "changelog.md", content=changes))
    errors = runpy.run_path(str(ROOT / "studies" / "guide_reference.py"))["errors_page"]()
    files.append(File.generated(config, "reference/errors.md", content=errors))
    return files


def on_page_content(text, page, config, files):
    """Put MathML in the place of LaTeX."""
    return FORMULA.sub(_mathml, text)


def _mathml(found: re.Match[str]) -> str:
    display = "block" if found["tag"] == "div" else "inline"
    return convert(html.unescape(found["latex"]).strip(), display=display)


def on_post_build(config):
    """Fail if a page would fetch anything from another host."""
    for page in Path(config.site_dir).rglob("*.html"):
        found = FOREIGN.search(page.read_text(encoding="utf-8"))
        if found is not None:
            raise PluginError(f"{page} fetches from another host: {found[0]}")
