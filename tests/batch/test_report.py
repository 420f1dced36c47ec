"""The report of a batch: all rows in it, nothing beside it, safe whatever clips are called."""

import csv
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from batch.archives import make_archive

import poise
from poise.batch.charts import histogram
from poise.batch.manifest import Manifest
from poise.batch.report import Told, table, write_report
from poise.batch.result import Measures, Result


class Reader(HTMLParser):
    """Checks that what is opened is closed, and keeps what is told."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "input", "img", "line"):
            self.open.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href")]

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    archive = make_archive(folder / "in", ["walk.bvh", "run.bvh", "<b>&'\"jump.bvh"])
    (archive / "bad.bvh").write_text("no <clip>")
    with poise.batch(archive, folder / "out", workers=0) as begun:
        list(begun)
    return folder / "out"


def test_the_page_stands_alone_and_names_everything(out):
    page, _ = write_report(out, pictures=2)
    text = page.read_text()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    said = " ".join(reader.text)
    for row in Told.of(out).rows:
        assert row.name in said
    assert "expected HIERARCHY" in said
    assert "<b>&'" not in text
    assert len(reader.links) == 2
    assert all(link.startswith("data:image/png") for link in reader.links)
    assert not re.search(r"https?://", text)
    assert "median" in said
    assert "--frame" in said


def test_the_table_has_a_line_a_clip(out):
    told = Told.of(out)
    rows = list(csv.DictReader(table(told).splitlines()))
    assert [row["name"] for row in rows] == [row.name for row in told.rows]
    walk = next(row for row in rows if row["name"] == "walk.bvh")
    assert float(walk["worst_error"]) <= 1e-3
    assert float(walk["seconds_per_frame"]) > 0
    assert walk["status"] == "done"


def test_the_worst_come_first(tmp_path):
    manifest = Manifest(tmp_path)
    manifest.write(
        Result(
            name=f"{i}.bvh",
            source="",
            status="done",
            measures=Measures(frames=10, worst_error=0.001 * (i % 7), worst_frame=i),
            seconds=0.1,
        )
        for i in range(20)
    )
    told = Told.of(tmp_path)
    assert [row.name for row in told.worst(3)] == ["13.bvh", "6.bvh", "12.bvh"]
    page, _ = write_report(tmp_path)  # nothing was written, so nothing is drawn
    assert "data:image" not in page.read_text()


def test_a_batch_that_measures_nothing_and_an_empty_one(tmp_path):
    archive = make_archive(tmp_path / "in", ["walk.bvh"])
    with poise.batch(archive, tmp_path / "out", "convert", workers=0) as begun:
        list(begun)
    assert "worst error" not in write_report(tmp_path / "out")[0].read_text()
    (tmp_path / "none").mkdir()
    Manifest(tmp_path / "none").close()
    write_report(tmp_path / "none")
    with pytest.raises(poise.FileError, match="no results of a batch"):
        write_report(tmp_path / "in")


@pytest.mark.parametrize(
    "values", [[1.0, 1.0], [0.0, 1e-9], [1e-6, 1e3], [0.0, 0.0, 5.0], [-1.0, 2.0, 3.0]]
)
def test_charts_of_any_values(values):
    drawn = histogram(np.array(values), lambda x: f"{x:g}")
    assert "nan" not in drawn
    assert sum(int(n) for n in re.findall(r"<title>(\d+) clips", drawn)) == len(values)
