"""Real disks that are full, and folders that cannot be written: the system says so, not a mock.

A disk of a few kilobytes is mounted where only the test sees it, which on Linux needs no
privileges as long as users may have namespaces of their own.
"""

import os
import shlex
import shutil
import subprocess
import sys

import pytest
from batch.archives import contents, make_archive

import poise

ALONE = ["unshare", "--user", "--map-root-user", "--mount"]
POISE = shlex.join([sys.executable, "-m", "poise", "batch"])
NAMES = [f"walk_{i}.bvh" for i in range(6)]


def may_mount():
    known = shutil.which("unshare") is not None
    mounts = "mount -t tmpfs tmpfs /mnt"
    return (
        known and not subprocess.run([*ALONE, "sh", "-c", mounts], capture_output=True).returncode
    )


needs_mounts = pytest.mark.skipif(not may_mount(), reason="mounts of one's own are not allowed")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return make_archive(tmp_path_factory.mktemp("disks") / "in", NAMES, frames=60)


@pytest.fixture(scope="module")
def undisturbed(archive, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    with poise.batch(archive, out, workers=0) as begun:
        assert all(result.ok for result in begun)
    return contents(out)


def error_in(said):
    """The last line, which begins with our name; before it there is progress, and no traceback."""
    assert "Traceback" not in said
    line = said.strip().splitlines()[-1]
    assert line.startswith("poise: ")
    return line


@needs_mounts
@pytest.mark.parametrize("workers", [0, 2])
def test_a_full_disk_ends_it_and_room_lets_it_go_on(archive, undisturbed, tmp_path, workers):
    disk = tmp_path / "disk"
    disk.mkdir()
    sizes = [len(data) for data in undisturbed.values()]
    room = 64_000 + sum(sizes) // 2  # for the manifest, and for half of the results
    others = 4_000_000
    script = f"""
        mount -t tmpfs -o size={room + others} tmpfs {disk}
        head -c {others} /dev/zero > {disk}/others
        {POISE} {archive} -o {disk}/out -j {workers} 2> {tmp_path}/said; echo $? > {tmp_path}/code
        cp -r {disk}/out {tmp_path}/full
        rm {disk}/others
        {POISE} {archive} -o {disk}/out -j {workers}
        echo $? >> {tmp_path}/code
        cp -r {disk}/out {tmp_path}/room
    """
    done = subprocess.run([*ALONE, "sh", "-c", script], capture_output=True, text=True)
    assert (tmp_path / "code").read_text().split() == ["1", "0"], done
    line = error_in((tmp_path / "said").read_text())
    assert "no space is left" in line or "disk is full" in line
    half = contents(tmp_path / "full")
    assert 0 < len(half) < len(NAMES)
    assert half.items() <= undisturbed.items()  # whole or not at all
    assert contents(tmp_path / "room") == undisturbed


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX's")
@pytest.mark.parametrize("begun", [False, True])
def test_a_folder_that_cannot_be_written_is_said_at_once(archive, tmp_path, begun):
    out = tmp_path / "out"
    out.mkdir()
    if begun:
        subprocess.run(f"{POISE} {archive} -o {out} -j 0", shell=True, check=True)
    before = contents(out)
    call = f"{POISE} {archive} -o {out} -j 2 --no-resume"
    if os.geteuid() == 0:  # may write whatever permissions say
        call = f"mount --bind {out} {out}; mount -o remount,ro,bind {out}; {call}"
        done = subprocess.run([*ALONE, "sh", "-c", call], capture_output=True, text=True)
    else:
        for path in (out, *out.rglob("*")):
            path.chmod(path.stat().st_mode & ~0o222)
        done = subprocess.run(call, shell=True, capture_output=True, text=True)
        for path in (out, *out.rglob("*")):
            path.chmod(path.stat().st_mode | 0o200)
    assert done.returncode == 1
    line = error_in(done.stderr)
    assert str(out) in line
    assert "Read-only" in line or "ermission" in line or "readonly" in line
    assert contents(out) == before
