"""The report as one page that needs nothing else: no files beside it, no network."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from poise.batch.charts import Shown, histogram
from poise.batch.report import VALUES, Told
from poise.batch.result import Result
from poise.motion.track_report import OFF


def length(metres: float) -> str:
    """A length for people: mm, cm or m."""
    if metres < 0.01:
        return f"{1e3 * metres:.2f} mm"
    return f"{1e2 * metres:.1f} cm" if metres < 1.0 else f"{metres:.2f} m"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _micro(seconds: float) -> str:
    return f"{1e6 * seconds:.0f} µs"


class Column(NamedTuple):
    """What a column of the table shows, and a chart is about."""

    key: str
    title: str
    about: str
    shown: Shown
    chart: bool = True


COLUMNS = (
    Column("frames", "frames", "How long the clips are", lambda x: f"{x:,.0f}"),
    Column("worst_error", "worst error", "The worst error of each clip", length),
    Column("mean_error", "mean error", "The mean error of each clip", length),
    Column("off_share", "off > 1 cm", "Frames with a goal off by more than 1 cm", _percent),
    Column("limit_share", "at limits", "Frames with a joint at a limit", _percent),
    Column("slip", "foot slip", "How far a standing foot slips, at most", length),
    Column("jitter_ratio", "jitter", "Jitter against the source's", lambda x: f"{x:.2f} ×"),
    Column("frame_time", "time a frame", "Time of a worker for a frame", _micro),
)


def page(told: Told, pictures: Mapping[str, str]) -> str:
    """The whole page."""
    columns = [column for column in COLUMNS if len(told.values(column.key))]
    parts = [
        _head(told),
        _tiles(told),
        _failures(told),
        _charts(told, columns),
        _worst(told, pictures),
        _table(told, columns),
    ]
    folder = files("poise.batch")
    style = (folder / "page.css").read_text(encoding="utf-8")
    script = (folder / "page.js").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(told.folder.resolve().name)} – Poise batch</title>"
        f"<style>{style}</style></head>\n<body><main>{''.join(parts)}</main>"
        f"<script>{script}</script></body></html>\n"
    )


def _head(told: Told) -> str:
    chosen = {key: value for key, value in told.settings.items() if value not in (None, [], {})}
    job = str(chosen.pop("job", "batch"))
    chips = "".join(
        f"<span class='chip'>{escape(key)} <b>{escape(_plain(value))}</b></span>"
        for key, value in chosen.items()
        if value is not False
    )
    return (
        f"<header><p class='over'>Poise batch · {escape(job)}</p>"
        f"<h1>{escape(told.folder.resolve().name)}</h1>"
        f"<p class='sub'>{escape(told.archive)}</p><p class='chips'>{chips}</p></header>"
    )


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _tiles(told: Told) -> str:
    seconds = sum(row.seconds for row in told.done)
    tiles = [
        (f"{len(told.done):,}", "clips done", "good"),
        (f"{len(told.failed):,}", "failed", "bad" if told.failed else ""),
        (f"{told.frames:,}", "frames", ""),
    ]
    if told.pending:
        tiles.append((f"{len(told.pending):,}", "not done yet", "wait"))
    for key, name in (("worst_error", "worst error"), ("mean_error", "median of mean errors")):
        values = told.values(key)
        if len(values):
            value = values.max() if key == "worst_error" else np.median(values)
            tiles.append((length(float(value)), name, ""))
    off = sum(row.measures.frames_off or 0 for row in told.done)
    if len(told.values("off_share")):
        tiles.append((f"{off:,}", "frames off by more than 1 cm", "bad" if off else ""))
    if seconds:
        tiles.append((f"{told.frames / seconds:,.0f}", "frames a second and worker", ""))
    body = "".join(
        f"<div class='tile {kind}'><b>{escape(value)}</b><span>{escape(name)}</span></div>"
        for value, name, kind in tiles
    )
    return f"<section class='tiles'>{body}</section>"


def _failures(told: Told) -> str:
    if not told.failed:
        return ""
    rows = "".join(
        f"<li><b>{escape(row.name)}</b><span>{escape(row.error)}</span></li>" for row in told.failed
    )
    count = len(told.failed)
    opened = " open" if count <= 12 else ""
    return (
        f"<details class='failures'{opened}><summary>{count} failed</summary><ul>{rows}</ul>"
        "</details>"
    )


def _charts(told: Told, columns: list[Column]) -> str:
    drawn = []
    for column in columns:
        values = told.values(column.key)
        if not column.chart or len(values) < 2 or float(np.ptp(values)) == 0.0:
            continue
        median = column.shown(float(np.median(values)))
        drawn.append(
            f"<figure><figcaption>{escape(column.about)}<span>median {escape(median)}</span>"
            f"</figcaption>{histogram(values, column.shown)}</figure>"
        )
    return (
        f"<h2>Distributions</h2><section class='charts'>{''.join(drawn)}</section>" if drawn else ""
    )


def _worst(told: Told, pictures: Mapping[str, str]) -> str:
    cards = [_card(told, row, pictures.get(row.name)) for row in told.worst()]
    if not cards:
        return ""
    return f"<h2>Worst clips</h2><section class='cards'>{''.join(cards)}</section>"


def _card(told: Told, row: Result, picture: str | None) -> str:
    measures = row.measures
    shown = (
        f"<img src='{picture}' alt='the worst frame'>" if picture else "<div class='none'></div>"
    )
    if measures.worst_error is not None:
        style = "off" if measures.worst_error > OFF else ""
        said = f"<b class='{style}'>{length(measures.worst_error)}</b> off:"
        said += f" {escape(measures.worst_goal)}"
        said += f", frame {measures.worst_frame}"
    else:
        said = f"<b>{length(measures.slip or 0.0)}</b> foot slip"
    title = f"<h3>{escape(row.name)}</h3><p>{said}</p>"
    return f"<div class='card'>{shown}{title}{_opener(told, row)}</div>"


def _opener(told: Told, row: Result) -> str:
    """The command that opens the studio at the worst frame, to be copied."""
    if not row.out:
        return ""
    command = f"poise studio {shlex.quote(str((told.folder / row.out).resolve()))}"
    if row.measures.worst_frame is not None:
        command += f" --frame {row.measures.worst_frame}"
    return (
        f"<button class='copy' data-copy='{escape(command, quote=True)}'>{escape(command)}</button>"
    )


def _table(told: Told, columns: list[Column]) -> str:
    heads = "".join(
        f"<th class='number' data-number title='{escape(c.about)}'>{escape(c.title)}</th>"
        for c in columns
    )
    rows = "".join(_row(row, columns) for row in told.rows)
    worst = "<th>worst frame</th>" if len(told.values("worst_error")) else ""
    return (
        "<h2>All clips</h2><input id='filter' type='search' placeholder='Filter by name or error'>"
        f"<div class='scroll'><table><thead><tr><th>clip</th><th>status</th>{heads}{worst}</tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _row(row: Result, columns: list[Column]) -> str:
    cells = [f"<td class='name' title='{escape(row.source, quote=True)}'>{escape(row.name)}</td>"]
    said = escape(row.error) or escape("\n".join(row.notes))
    cells.append(f"<td><span class='dot {row.status}' title='{said}'>{row.status}</span></td>")
    for column in columns:
        value = VALUES[column.key](row) if row.ok else None
        if value is None:
            cells.append("<td class='number'>–</td>")
        else:
            cells.append(f"<td class='number' data-value='{value:.9g}'>{column.shown(value)}</td>")
    if any(column.key == "worst_error" for column in columns):
        frame, goal = row.measures.worst_frame, row.measures.worst_goal
        cells.append(f"<td>{'' if frame is None else f'{frame} · {escape(goal)}'}</td>")
    return f"<tr>{''.join(cells)}</tr>"
