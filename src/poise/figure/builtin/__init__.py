"""The figures that come with Poise, each a function that builds one."""

from poise.figure.builtin.arm import arm
from poise.figure.builtin.by_name import BUILT_IN, built_in
from poise.figure.builtin.human import human
from poise.figure.builtin.jack import jack, shoulder_groups, spine_groups
from poise.figure.builtin.snake import snake
from poise.figure.builtin.spider import spider

__all__ = [
    "BUILT_IN",
    "arm",
    "built_in",
    "human",
    "jack",
    "shoulder_groups",
    "snake",
    "spider",
    "spine_groups",
]
