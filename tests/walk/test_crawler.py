"""Crawlers: many legs that step in turn, on every ground."""

import math

import numpy as np
import pytest
from formats.urdfs import joint, limit, link
from formats.urdfs import robot as urdf

import poise
from poise import FigureError, OptionError
from poise.walk.crawl_build import CrawlBuild, feet_of
from poise.walk.gait import Place

GROUNDS = {
    "flat": poise.terrain.flat(),
    "hills": poise.terrain.hills(3),
    "stairs": poise.terrain.stairs(rise=0.1, run=0.3, count=4, start=1.5, top=1.5),
}
DT = 1 / 60


@pytest.fixture(scope="module")
def spider():
    return poise.figures.spider()


class Crawl:
    """Where the feet went, and what was asked of them."""

    def __init__(self, crawler, seconds, drive=None):
        self.crawler = crawler
        self.poses, self.states = [], []
        for frame in range(round(seconds / DT)):
            if drive is not None:
                drive(crawler, frame)
            self.states.append(crawler.step(DT))
            self.poses.append(self.states[-1].pose)
        self.down = np.array([[foot.in_contact for foot in s.feet] for s in self.states])
        names = crawler.build.feet
        self.feet = np.array([[p.position(name) for name in names] for p in self.poses])
        self.angles = np.array([p.angles for p in self.poses])

    @property
    def slip(self):
        worst = 0.0
        for foot in range(self.down.shape[1]):
            at = None
            for frame in range(len(self.down)):
                place = self.feet[frame, foot]
                at = (place if at is None else at) if self.down[frame, foot] else None
                if at is not None:
                    worst = max(worst, float(np.linalg.norm(place - at)))
        return worst

    def depth(self, ground):
        best = np.full(self.feet.shape[:2], np.inf)
        for away in (0.0, 0.001, 0.002, 0.004):
            for angle in np.arange(0.0, 2.0 * math.pi, math.pi / 4.0):
                x = self.feet[..., 0] + away * math.sin(angle)
                z = self.feet[..., 2] + away * math.cos(angle)
                below = np.maximum(ground.height(x, z) - self.feet[..., 1], 0.0)
                best = np.minimum(best, np.hypot(away, below))
        return best.max()


def turning(crawler, frame):
    if frame == 240:
        crawler.drive(turn=0.5)


@pytest.fixture(scope="module", params=GROUNDS)
def crawl(request, spider):
    crawler = poise.Crawler(spider, GROUNDS[request.param])
    crawler.drive(speed=0.8)
    return Crawl(crawler, 7.0, turning)


def test_feet_neither_slip_nor_sink(crawl):
    assert crawl.slip < 1e-3
    assert crawl.depth(crawl.crawler.terrain) < 5e-3


def test_limits_and_rates_hold(crawl):
    assert all(pose.is_inside_limits for pose in crawl.poses)
    legs = np.abs(np.diff(crawl.angles[:, 6:], axis=0)).max() / DT
    assert legs <= 20.0 * (1.0 + 1e-9)


def test_half_of_the_legs_step_while_the_others_stand(crawl):
    groups = crawl.crawler.build.groups
    assert groups.tolist() == [0, 1, 0, 1, 1, 0, 1, 0]
    walking = crawl.down[120:]
    for group in (0, 1):
        own, others = walking[:, groups == group], walking[:, groups != group]
        assert (own == own[:, :1]).all()
        assert others[~own[:, 0]].all()
    assert 0.55 < walking.mean() < 0.7


def test_the_body_rides_smoothly_at_its_height(spider):
    crawler = poise.Crawler(spider)
    crawler.drive(speed=0.8)
    crawl = Crawl(crawler, 5.0)
    body = np.array([pose.position("body") for pose in crawl.poses])
    np.testing.assert_allclose(body[:, 1], crawler.build.height, atol=2e-3)
    assert body[-1, 2] > 2.5
    change = np.abs(np.diff(crawl.angles[:, 6:], n=2, axis=0)).max() / DT
    assert change < 12.0


def test_it_turns_on_the_spot_and_stops_with_its_feet_at_home(spider):
    crawler = poise.Crawler(spider, start=Place(1.0, 2.0, 0.3))
    crawler.drive(turn=0.8)
    Crawl(crawler, 3.0)
    assert 1.5 < crawler.gait.place.heading < 2.8
    assert math.hypot(crawler.gait.place.x - 1.0, crawler.gait.place.z - 2.0) < 1e-9
    crawler.drive(turn=0.0)
    end = Crawl(crawler, 3.0)
    assert not crawler.gait.moving
    assert end.down[-30:].all()
    np.testing.assert_allclose(end.feet[-30:], end.feet[-30][None].repeat(30, 0), atol=1e-4)
    rest = spider.rest().angles[6:]
    assert np.abs(end.angles[-1, 6:] - rest).max() < math.radians(12.0)


def test_before_a_cliff_it_stops_and_says_so(spider):
    cliff = poise.terrain.profile([(2.5, 0.0), (2.5, -1.0)])
    crawler = poise.Crawler(spider, cliff)
    crawler.drive(speed=0.8)
    crawl = Crawl(crawler, 8.0)
    assert "deep" in str(crawl.states[-1].stopped)
    assert crawl.feet[..., 2].max() < 2.5
    crawler.drive(heading=math.pi)
    assert Crawl(crawler, 4.0).states[-1].stopped is None


def test_it_follows_a_path_as_a_clip(spider):
    clip = poise.walk(spider, [(0, 0), (0, 1.5), (1.0, 2.5)], speed=0.7)
    end = clip[len(clip) - 1].position("body")
    assert np.linalg.norm(end[[0, 2]] - [1.0, 2.5]) < 0.25
    with pytest.raises(OptionError, match="two legs"):
        poise.walk(spider, [(0, 0), (0, 1)], manner="limp")


def quadruped():
    """A robot on four legs of three hinges each, +X ahead, Z up."""
    links, joints = [link("trunk", 5.0)], []
    for side, y in (("left", 0.1), ("right", -0.1)):
        for end, x in (("front", 0.2), ("hind", -0.2)):
            at = "trunk"
            for part, axis, low, high, xyz in (
                ("hip", "1 0 0", -0.8, 0.8, f"{x} {y} 0"),
                ("thigh", "0 1 0", -2.0, 2.0, "0 0 0"),
                ("calf", "0 1 0", -2.6, -0.1, "0 0 -0.22"),
            ):
                name = f"{side}_{end}_{part}"
                links.append(link(name, 0.3))
                joints.append(
                    joint(f"{name}_joint", "revolute", at, name, xyz, axis=axis,
                          more=limit(low, high))
                )  # fmt: skip
                at = name
            links.append(link(f"{side}_{end}_foot", 0))
            foot = f"{side}_{end}_foot"
            joints.append(joint(f"{foot}_joint", "fixed", at, foot, "0 0 -0.22"))
    return urdf("quadruped", links, joints)


def test_a_robot_on_four_legs_trots(tmp_path):
    path = tmp_path / "quadruped.urdf"
    path.write_text(quadruped())
    robot = poise.load(path, base="free")
    bent = {
        f"{side}_{end}_{part}_joint": angle
        for side in ("left", "right")
        for end in ("front", "hind")
        for part, angle in (("thigh", 0.7), ("calf", -1.4))
    }
    crawler = poise.Crawler(robot, standing=robot.rest().with_angles(bent))
    assert crawler.build.groups.tolist() == [0, 1, 1, 0]
    crawler.drive(speed=0.4)
    crawl = Crawl(crawler, 5.0)
    assert crawl.slip < 1e-3
    assert crawl.poses[-1].position("trunk")[0] > 1.2
    assert all(pose.is_inside_limits for pose in crawl.poses)
    with pytest.raises(FigureError, match="free"):
        poise.Crawler(poise.load(path))


def test_feet_are_found_by_name_or_given(spider):
    assert len(feet_of(spider)) == 8
    assert feet_of(poise.figures.human()) == ["left_foot", "right_foot"]
    six = [name for name in feet_of(spider) if not name.endswith("_4")]
    build = CrawlBuild.of(spider, six)
    assert build.groups.tolist() == [0, 1, 0, 1, 0, 1]
    crawler = poise.Crawler(spider, feet=six)
    crawler.drive(speed=0.5)
    assert Crawl(crawler, 2.0).slip < 1e-3


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: poise.Crawler(poise.figures.human()), FigureError, "feet"),
        (lambda: poise.Crawler(poise.figures.spider(), feet=["body", "body", "body"]),
         FigureError, "feet"),
        (lambda: poise.Crawler(poise.figures.spider()).drive(speed=math.nan), OptionError, "speed"),
        (lambda: poise.Crawler(poise.figures.spider()).step(0.0), OptionError, "dt"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(make, error, match):
    with pytest.raises(error, match=match):
        make()
