"""Joints of a MuJoCo model that follow others by an equality, as joint groups."""

from __future__ import annotations

from typing import Any

from poise.figure.relations import JointGroup


class Followers:
    """Which joints follow which, and which stand still.

    Each is y − y₀ = c₀ + c₁ (x − x₀) + …, where y₀ and x₀ are the values in the pose of the file;
    those with higher powers, and those of other kinds, are noted and left out.
    """

    def __init__(self, equalities: list[dict[str, Any]], joints: list[dict[str, Any]]) -> None:
        self.notes: list[str] = []
        self.constant: dict[str, float] = {}
        """Joints that are held where they are [rad or m]."""
        self.rules: dict[str, tuple[str, float, float]] = {}
        """By follower: what it follows, its share and its offset."""
        for equality in equalities:
            reason = self._added(equality, joints)
            if reason:
                what = " ".join(filter(None, (equality["kind"], repr(equality["name"]))))
                self.notes.append(f"equality {what} is left out: {reason}")
        self._hold()

    def groups(self) -> list[JointGroup]:
        """A group for each joint that others follow."""
        found: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
        for name in self.rules:
            leader, share, offset = self._leader(name)
            shares, offsets = found.setdefault(leader, ({leader: 1.0}, {}))
            shares[name], offsets[name] = share, offset
        return [JointGroup(f"{n} and what follows it", *group) for n, group in found.items()]

    def _added(self, equality: dict[str, Any], joints: list[dict[str, Any]]) -> str:
        """Take it in, or say why not."""
        if not equality["active"]:
            return "it is not active"
        if equality["kind"] != "joint":
            return "only those of joints are read"
        first, second = equality["objects"]
        follower, (c0, c1, *powers) = joints[first], equality["coefficients"]
        name, start = follower["name"], follower["rest"][0] + c0
        if name in self.rules or name in self.constant:
            return f"joint {name!r} follows one already"
        if second < 0:
            self.constant[name] = start
            return ""
        if any(powers):
            return "its polynomial is not a line"
        if c1 == 0.0:
            self.constant[name] = start
            return ""
        leader = joints[second]["name"]
        if name in (leader, self._leader(leader)[0]):
            return f"joint {name!r} would follow itself"
        self.rules[name] = (leader, c1, start - c1 * joints[second]["rest"][0])
        return ""

    def _leader(self, name: str) -> tuple[str, float, float]:
        """The joint at the end of what `name` follows: value = share · leader + offset."""
        share, offset = 1.0, 0.0
        while name in self.rules:
            name, more, start = self.rules[name]
            offset += share * start
            share *= more
        return name, share, offset

    def _hold(self) -> None:
        """What follows a joint that is held is held too."""
        ends = {name: self._leader(name) for name in self.rules}
        for name, (leader, share, offset) in ends.items():
            if leader in self.constant:
                self.constant[name] = share * self.constant[leader] + offset
        self.rules = {n: rule for n, rule in self.rules.items() if n not in self.constant}
