"""The guide's site, opened from a folder, as someone without a network has it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    return folder


def test_examples_of_docstrings_are_code(site):
    page = (site / "reference" / "solving.html").read_text(encoding="utf-8")
    assert "<blockquote>" not in page
    assert "&gt;&gt;&gt;" not in page


def test_the_search_works_from_a_folder(chromium, site):
    context = chromium.new_context(offline=True)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((site / "tasks" / "walk.html").as_uri())
    page.locator(".md-search__input").fill("sliding feet")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "Fix sliding feet" in found.inner_text()
    found.click()
    page.wait_for_url("**/tasks/sliding-feet.html*")
    context.close()
    assert problems == []
