"""The rows of scripts/bench about builds after an edit: `kanmon build` and plain `swift build`, after the same edits of the same package,
and what it costs Kanmon to find out that nothing was edited.

An edit changes a statement in the body of a function, of the library and of its tests in turn: what people edit all day. Every fifth one
changes the properties of a class, which others were compiled with. Both sides have a copy of the package and a build folder of their own,
built before; each edit is a commit, since `kanmon build` builds nothing else.
"""

import ctypes
import itertools
import json
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import threading
import time

PACKAGE = "Yams"
# A source, and how the line in a body begins that the statement comes before.
BODIES = [
    ("Sources/Yams/Emitter.swift", "switch state {"),
    ("Tests/YamsTests/NodeTests.swift", "XCTAssert"),
    ("Sources/Yams/Parser.swift", "let node = try loadDocument()"),
    ("Tests/YamsTests/EmitterTests.swift", "XCTAssert"),
    ("Sources/Yams/Constructor.swift", "guard scalar.style == .any"),
]
# A source, and the line that a property comes behind.
INTERFACES = [
    ("Sources/Yams/Emitter.swift", "public final class Emitter {"),
    ("Sources/Yams/Constructor.swift", "public final class Constructor {"),
]
# As often as an edit is one of an interface.
INTERFACE_EVERY = 5
MARK = " // An edit.\n"
# As Kanmon builds.
COVERAGE = ["--enable-code-coverage", "-Xswiftc", "-Xllvm", "-Xswiftc", "-instrprof-atomic-counter-update-all"]
WARM_RUNS = 11


class Edited:
    """A copy of the package that one of the two builds."""

    def __init__(self, bench, name: str):
        self.folder = bench.WORK / "edit-rows" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.package = self.folder / PACKAGE
        shutil.copytree(bench.clone(PACKAGE), self.package, symlinks=True, ignore=shutil.ignore_patterns(".build"))
        self.bodies, self.interfaces = itertools.cycle(BODIES), itertools.cycle(INTERFACES)
        self.number = 0

    def edit(self) -> bool:
        """Makes the next edit; whether it is one of an interface."""
        self.number += 1
        is_interface = self.number % INTERFACE_EVERY == 0
        name, words = next(self.interfaces if is_interface else self.bodies)
        path = self.package / name
        lines = path.read_text().splitlines(keepends=True)
        place = next(index for index, line in enumerate(lines) if line.strip().startswith(words))
        indent = lines[place][:len(lines[place]) - len(lines[place].lstrip())]
        if is_interface:
            place += 1
            lines[place:place + lines[place].endswith(MARK)] = [f"{indent}    private var edit{self.number} = 0{MARK}"]
        else:
            before = place - lines[place - 1].endswith(MARK)
            lines[before:place] = [f"{indent}_ = {self.number}{MARK}"]
        path.write_text("".join(lines))
        subprocess.run(["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-C", self.package, "commit", "--quiet",
                        "--all", "--message", "An edit."], check=True, stdin=subprocess.DEVNULL)
        return is_interface

    def objects(self) -> dict:
        """The objects of all build folders below, with what changes when they are compiled."""
        return {path: path.stat().st_mtime_ns for path in self.folder.rglob("*.swift.o")}


class Written:
    """When files of a folder were put into place, by their names; as the kernel tells it."""

    MOVED_TO = 0x80

    def __init__(self, folder: pathlib.Path):
        library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = library.inotify_init1(os.O_CLOEXEC)
        if self.descriptor < 0 or library.inotify_add_watch(self.descriptor, os.fsencode(folder), self.MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), f"{folder} cannot be watched")
        self.times: dict[str, list[float]] = {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        while events := os.read(self.descriptor, 1 << 16):
            now = time.monotonic()
            while events:
                *_, length = struct.unpack_from("iIII", events)
                self.times.setdefault(os.fsdecode(events[16:16 + length].rstrip(b"\0")), []).append(now)
                events = events[16 + length:]


def rows(bench, edits: int = 50) -> list:
    ours, theirs = Edited(bench, "kanmon"), Edited(bench, "swift")
    home, cache = ours.folder / "home", ours.folder / "cache"
    environment = ["env", f"XDG_CACHE_HOME={cache}"]
    sides = {
        "kanmon build": (ours, [*environment, bench.kanmon(), "build", "--package-path", ours.package, "--home", home]),
        "swift build": (theirs, ["swift", "build", "--build-tests", "--package-path", theirs.package, "--scratch-path",
                                 theirs.folder / "scratch", *COVERAGE]),
    }
    # By whether the edits were of interfaces.
    compiled = {name: {False: 0, True: 0} for name in sides}
    seconds = dict.fromkeys(sides, 0.0)
    for _, command in sides.values():
        # The first build is from nothing, the second settles.
        for _ in range(2):
            bench.shell(*command, stderr=subprocess.DEVNULL)
    for number in range(edits):
        for name in sorted(sides, reverse=number % 2 == 1):
            copy, command = sides[name]
            is_interface, before = copy.edit(), copy.objects()
            begin = time.monotonic()
            bench.shell(*command, stderr=subprocess.DEVNULL)
            seconds[name] += time.monotonic() - begin
            compiled[name][is_interface] += sum(when != before.get(path) for path, when in copy.objects().items())
    least, bodies = compiled["swift build"], edits - edits // INTERFACE_EVERY
    return [
        bench.Size(f"{PACKAGE}: files compiled after {bodies} edits of bodies", compiled["kanmon build"][False], least[False],
                   "swift build", "files", least[False]),
        # What swift build leaves as it was may be stale.
        bench.Size(f"{PACKAGE}: files compiled after {edits - bodies} edits of interfaces", compiled["kanmon build"][True], least[True],
                   "swift build", "files", None),
        bench.Size(f"{PACKAGE}: builds after {edits} edits, every fifth of an interface", seconds["kanmon build"],
                   seconds["swift build"], "swift build", "s", 1.1 * seconds["swift build"]),
        warm(bench, [*environment, bench.kanmon(), "run", "--package-path", ours.package, "--home", home, "--exit-zero"], home, cache),
    ]


def warm(bench, command: list, home: pathlib.Path, cache: pathlib.Path):
    """What a run of an unchanged tree takes to find out that nothing has to be built: from the moment at which it asks for the time of files
    until it writes down what was built, without SwiftPM's own call, of which the run tells how long it took."""
    bench.shell(*command, stderr=subprocess.DEVNULL)
    record = next((cache / "kanmon" / "build").glob("*/kanmon-build.json"))
    written = Written(record.parent)
    checks, calls = [], []
    for _ in range(WARM_RUNS):
        written.times.clear()
        known = set(home.glob("runs/**/manifest.json"))
        bench.shell(*command, stderr=subprocess.DEVNULL)
        # What happened at the end has to be read, too.
        time.sleep(0.1)
        manifest = next(path for path in home.glob("runs/**/manifest.json") if path not in known)
        call = sum(step["duration"] for step in json.loads(manifest.read_text())["steps"] if step["kind"] == "build") / 1e9
        calls.append(call)
        checks.append(written.times[record.name][-1] - written.times["kanmon-clock"][0] - call)
    return bench.Size(f"{PACKAGE}: looking for changes where there are none", statistics.median(checks) * 1e3,
                      statistics.median(calls) * 1e3, "SwiftPM's own call", "ms", 30)
