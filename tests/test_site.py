"""The guide's site, opened from a folder, as someone without a network has it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_search_works_from_a_folder(chromium, tmp_path):
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True)
    context = chromium.new_context(offline=True)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((tmp_path / "tasks" / "walk.html").as_uri())
    page.locator(".md-search__input").fill("sliding feet")
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "Fix sliding feet" in found.inner_text()
    found.click()
    page.wait_for_url("**/tasks/sliding-feet.html*")
    context.close()
    assert problems == []
