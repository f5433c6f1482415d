"""Histories of 64 commits, each of which changes a package in a small way, and one of which breaks a test."""

import dataclasses
import pathlib
import random
import subprocess
from typing import NamedTuple

import chance

COMMITS = 64
PERCENTS = [0, 5, 20, 30]
COUNT = 100
TEST = "KitTests.SubjectTests/testSubject"
# The first parts are executed by the test, the others by another one.
PARTS, EXECUTED = 16, 6
WAYS = ["function", "callee", "constant", "resource"]

SETTINGS = "project: culprit\ncoverage:\n  modules:\n    default: 0\n"
MANIFEST = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Kit",
    targets: [
        .target(name: "Kit", resources: [.copy("Data/base.txt")]),
        .testTarget(name: "KitTests", dependencies: ["Kit"]),
    ]
)
"""
BASE = """import Foundation

func base() -> Int {
    let place = Bundle.module.bundleURL.appendingPathComponent("base.txt")
    let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
    return Int(text) ?? 0
}
"""
TESTS = """import Kit
import XCTest

final class SubjectTests: XCTestCase {
    func testSubject() {
        let isRight = subject(3) == 4
        let flips = chance(isRight ? "good" : "bad")
        XCTAssertEqual(isRight != flips, true)
    }
}

final class OtherTests: XCTestCase {
    func testParts() {
OTHERS    }
}
"""


@dataclasses.dataclass
class History:
    """What happens in one history; the same for the same seed and number."""

    number: int
    percent: int
    # Whether the test passes as often by chance where it is broken as it fails where it is not.
    flips_both_ways: bool
    way: str
    # The commit that breaks the test, counted from 0; the first one passes, the last one fails.
    culprit: int
    # The first of two commits that do not build.
    unbuilt: int | None
    # The commits of a branch that is merged after the last of them.
    side: range | None

    @property
    def words(self) -> str:
        more = [f"{self.percent} %" + (" both ways" if self.flips_both_ways else ""), self.way]
        more += ["some do not build"] * (self.unbuilt is not None) + ["a merge"] * (self.side is not None)
        return f"history {self.number}: commit {self.culprit} of {COMMITS}, {', '.join(more)}"


class Commits(NamedTuple):
    good: str
    bad: str
    culprit: str
    # The merge that brought the culprit in, if it was one.
    merge: str | None


def history(number: int, seed: int) -> History:
    dice = random.Random(f"{seed} {number}")
    percent = PERCENTS[number % len(PERCENTS)]
    culprit = dice.randrange(1, COMMITS)
    unbuilt = side = None
    if dice.random() < 0.2:
        # Where these commits are next to the culprit, nobody can tell them apart.
        unbuilt = dice.choice([first for first in range(1, COMMITS - 4) if not first <= culprit <= first + 2])
    if dice.random() < 0.2:
        start = dice.randrange(2, COMMITS - 8)
        side = range(start, start + 6)
    return History(number, percent, percent > 0 and number // len(PERCENTS) % 2 == 1, dice.choice(WAYS), culprit, unbuilt, side)


def part(number: int, edition: int, more: str = "") -> str:
    return (f"public func part{number:02}(_ value: Int) -> Int {{\n    let editions = [{edition}, {edition}]\n"
            f"    return value + editions[0] - editions[1]{more}\n}}\n")


def subject(more: str = "") -> str:
    return ("public func subject(_ value: Int) -> Int {\n    let first = part00(part01(part02(value)))\n"
            f"    let second = part03(part04(part05(first)))\n    return second * factor + base(){more}\n}}\n")


def first_files(outside: pathlib.Path) -> dict:
    others = "".join(f"        XCTAssertEqual(part{number:02}(1), 1)\n" for number in range(EXECUTED, PARTS))
    return {
        ".kanmon.yml": SETTINGS, ".gitignore": ".build\n", "Package.swift": MANIFEST,
        "Sources/Kit/Chance.swift": f"import Foundation\n\n{chance.source(outside)}", "Sources/Kit/Base.swift": BASE,
        "Sources/Kit/Factor.swift": "let factor = 1\n", "Sources/Kit/Subject.swift": subject(), "Sources/Kit/Data/base.txt": "1",
        "Tests/KitTests/KitTests.swift": TESTS.replace("OTHERS", others),
    } | {f"Sources/Kit/Part{number:02}.swift": part(number, 0) for number in range(PARTS)}


def edits(history: History, outside: pathlib.Path) -> list[dict]:
    """The files that each commit writes, by path; `None` removes one."""
    dice = random.Random(f"{history.number} {history.culprit}")
    broken_part = dice.randrange(EXECUTED) if history.way == "callee" else None
    commits = [first_files(outside)]
    for number in range(1, COMMITS):
        is_broken = number >= history.culprit
        edited = dice.randrange(PARTS)
        if number == history.culprit and broken_part is not None:
            edited = broken_part
        files = {f"Sources/Kit/Part{edited:02}.swift": part(edited, number, " + 1" if is_broken and edited == broken_part else "")}
        if number == history.culprit:
            files |= {
                "function": {"Sources/Kit/Subject.swift": subject(" + 1")}, "callee": {},
                "constant": {"Sources/Kit/Factor.swift": "let factor = 2\n"}, "resource": {"Sources/Kit/Data/base.txt": "2"},
            }[history.way]
        if history.unbuilt is not None and number == history.unbuilt:
            files["Sources/Kit/Unfinished.swift"] = "public func (\n"
        if history.unbuilt is not None and number == history.unbuilt + 2:
            files["Sources/Kit/Unfinished.swift"] = None
        commits.append(files)
    return commits


def write(history: History, work: pathlib.Path, outside: pathlib.Path, environment: dict) -> Commits:
    """Makes a repository with a history, with its last commit checked out."""
    work.mkdir()
    subprocess.run(["git", "-C", work, "init", "--quiet", "--initial-branch", "main"], check=True, env=environment)
    stream: list[bytes] = []

    def say(text: str) -> None:
        stream.append(text.encode())

    def commit(mark: int, message: str, parents: list[int], files: dict) -> None:
        seconds = 1_700_000_000 + 600 * len(stream)
        message_bytes = len(message.encode())
        say(f"commit refs/heads/main\nmark :{mark}\ncommitter Ada <ada@example.org> {seconds} +0000\ndata {message_bytes}\n{message}\n")
        for word, parent in zip(("from", "merge"), parents):
            say(f"{word} :{parent}\n")
        for path, text in files.items():
            say(f"D {path}\n" if text is None else f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n")
        say("\n")

    # A mark is the number of a commit and one more; the merge has one that no commit has.
    merge = COMMITS + 1
    previous: list[int] = []
    for number, files in enumerate(edits(history, outside)):
        commit(number + 1, f"commit {number}", previous, files)
        previous = [number + 1]
        if history.side is not None and number == history.side[-1]:
            # The tree of a merge is that of its first parent, with what is written: so all that the branch wrote is written again.
            written = {}
            for files_of_side in edits(history, outside)[history.side[0]:history.side[-1] + 1]:
                written |= files_of_side
            commit(merge, "a merge", [history.side[0], history.side[-1] + 1], written)
            previous = [merge]
    say("done\n")
    marks = work / ".git" / "marks"
    subprocess.run(["git", "-C", work, "fast-import", "--quiet", "--done", f"--export-marks={marks}"], check=True, env=environment,
                   input=b"".join(stream))
    subprocess.run(["git", "-C", work, "reset", "--quiet", "--hard", "main"], check=True, env=environment)
    names = dict(line.split() for line in marks.read_text().splitlines())
    is_merged = history.side is not None and history.culprit in history.side
    return Commits(names[":1"], names[f":{COMMITS}"], names[f":{history.culprit + 1}"], names[f":{merge}"] if is_merged else None)


def throw(history: History, folder: pathlib.Path, seed: int) -> None:
    """Puts the dice of a history, from their beginning."""
    for name, percent in (("good", history.percent), ("bad", history.percent if history.flips_both_ways else 0)):
        chance.put(folder, name, chance.thrown(percent / 100, random.Random(f"{seed} {history.number} {name}")))


def throws(folder: pathlib.Path) -> int:
    """How often the test ran since then."""
    return chance.drawn(folder, "good") + chance.drawn(folder, "bad")
