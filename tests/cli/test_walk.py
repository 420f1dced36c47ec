"""`poise walk`: a file comes out, a stop is told, a wrong call is refused."""

import json

import numpy as np

import poise
from poise.cli import DONE, WRONG_CALL, main


def test_a_walk_becomes_a_file(tmp_path, capsys):
    out = tmp_path / "walk.bvh"
    call = ["walk", "--path", "0,1.5", "--fps", "30", "--out", str(out), "--json"]
    assert main(call) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["stopped"] is None
    assert abs(told["end"][1] - 1.5) < 0.3
    assert len(poise.load(out, unit=0.01)) == told["frames"]


def test_a_wall_is_told(tmp_path, capsys):
    heights = tmp_path / "wall.npy"
    table = np.zeros((17, 3))
    table[14:] = 2.0
    np.save(heights, table)
    assert main(["walk", "--terrain", str(heights), "--path", "0,3", "--fps", "30"]) == DONE
    assert "stopped: the ground ahead rises" in capsys.readouterr().out


def test_wrong_calls(capsys):
    assert main(["walk", "--terrain", "lava"]) == WRONG_CALL
    assert "unknown terrain" in capsys.readouterr().err
    assert main(["walk", "--path", "0;1"]) == WRONG_CALL
    assert "X,Z" in capsys.readouterr().err
    assert main(["walk", "--figure", "arm"]) == WRONG_CALL
    assert "legs" in capsys.readouterr().err
