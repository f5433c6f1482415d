"""The rows of scripts/bench about builds after an edit: `kanmon build` and plain `swift build`, after the same edits of the same package.

An edit changes a statement in the body of a function, of the library and of its tests in turn: what people edit all day. Both sides have a copy of the package and a build folder of their own, built before.
"""

import itertools
import pathlib
import shutil
import subprocess

PACKAGE = "Yams"
# A source, and how the line in a body begins that the statement comes before.
PLACES = [
    ("Sources/Yams/Emitter.swift", "switch state {"),
    ("Tests/YamsTests/NodeTests.swift", "XCTAssert"),
    ("Sources/Yams/Parser.swift", "let node = try loadDocument()"),
    ("Tests/YamsTests/EmitterTests.swift", "XCTAssert"),
    ("Sources/Yams/Constructor.swift", "guard scalar.style == .any"),
]
# As Kanmon builds.
COVERAGE = ["--enable-code-coverage", "-Xswiftc", "-Xllvm", "-Xswiftc", "-instrprof-atomic-counter-update-all"]
EDITS_COUNTED = 10


class Edited:
    """A copy of the package that one of the two builds."""

    def __init__(self, bench, name: str):
        self.folder = bench.WORK / "edit-rows" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.package = self.folder / PACKAGE
        shutil.copytree(bench.clone(PACKAGE), self.package, symlinks=True, ignore=shutil.ignore_patterns(".build"))
        self.places = itertools.cycle(PLACES)
        self.number = 0

    def edit(self) -> None:
        """Puts a statement before a line of a body, or another number into the one that is there."""
        name, words = next(self.places)
        path = self.package / name
        self.number += 1
        lines = path.read_text().splitlines(keepends=True)
        place = next(index for index, line in enumerate(lines) if line.strip().startswith(words))
        indent = lines[place][:len(lines[place]) - len(lines[place].lstrip())]
        statement = f"{indent}_ = {self.number} // An edit.\n"
        if lines[place - 1].endswith("// An edit.\n"):
            lines[place - 1] = statement
        else:
            lines.insert(place, statement)
        path.write_text("".join(lines))

    def objects(self) -> dict:
        """The objects of all build folders below, with what changes when they are compiled."""
        return {path: path.stat().st_mtime_ns for path in self.folder.rglob("*.swift.o")}


def rows(bench) -> list:
    ours, theirs = Edited(bench, "kanmon"), Edited(bench, "swift")
    environment = ["env", f"XDG_CACHE_HOME={ours.folder / 'cache'}"]
    sides = [
        (ours, bench.Side("kanmon build", [*environment, bench.kanmon(), "build", "--package-path", ours.package, "--home",
                                           ours.folder / "home"], ours.edit)),
        (theirs, bench.Side("swift build", ["swift", "build", "--build-tests", "--package-path", theirs.package, "--scratch-path",
                                            theirs.folder / "scratch", *COVERAGE], theirs.edit)),
    ]
    compiled = {}
    for copy, side in sides:
        # The first build is from nothing, the second settles.
        for _ in range(2):
            bench.shell(*side.command, stderr=subprocess.DEVNULL)
        compiled[side.name] = 0
        for _ in range(EDITS_COUNTED):
            copy.edit()
            before = copy.objects()
            bench.shell(*side.command, stderr=subprocess.DEVNULL)
            compiled[side.name] += sum(time != before.get(path) for path, time in copy.objects().items())
    least = compiled["swift build"]
    return [
        bench.Size(f"{PACKAGE}: files compiled after {EDITS_COUNTED} edits of bodies", compiled["kanmon build"], least, "swift build",
                   "files", least),
        bench.Row(f"{PACKAGE}: build after an edit of a body", sides[0][1], sides[1][1], "wall", 1.1, pairs=11),
    ]
