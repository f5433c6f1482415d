"""Tests that fail by chance, with dice that are thrown beforehand: a schedule outside of the package says how each execution ends.

So a seed gives the same failures again, both trees draw from one schedule, and it is known how often was drawn.
"""

import pathlib
import random

# A function for a module of the package; FOLDER stands for the folder of the schedules.
SOURCE = """/// Whether the next execution fails, by the schedule of that name; none does without a schedule.
public func chance(_ name: String) -> Bool {
    let path = "FOLDER/" + name
    guard let schedule = FileManager.default.contents(atPath: path + ".schedule"), !schedule.isEmpty else { return false }
    let descriptor = open(path + ".drawn", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var mark: UInt8 = 0x2E
    guard write(descriptor, &mark, 1) == 1 else { return false }
    let drawn = Int(lseek(descriptor, 0, SEEK_CUR))
    return schedule[schedule.startIndex + (drawn - 1) % schedule.count] == UInt8(ascii: "1")
}
"""
LENGTH = 10_000


def source(folder: pathlib.Path) -> str:
    """The function, for a module that imports Foundation."""
    return SOURCE.replace("FOLDER", str(folder))


def put(folder: pathlib.Path, name: str, schedule: str) -> None:
    """Has the executions from now on end as a schedule says, one after the other; `1` fails. An empty one takes the schedule away."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.drawn").unlink(missing_ok=True)
    place = folder / f"{name}.schedule"
    place.write_text(schedule) if schedule else place.unlink(missing_ok=True)


def thrown(rate: float, dice: random.Random, first: str = "") -> str:
    """A schedule that fails at a rate after some executions that are given."""
    return first + "".join("1" if dice.random() < rate else "0" for _ in range(LENGTH))


def drawn(folder: pathlib.Path, name: str) -> int:
    """How often was drawn since the schedule is there."""
    place = folder / f"{name}.drawn"
    return place.stat().st_size if place.exists() else 0
