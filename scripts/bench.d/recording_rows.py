"""The rows of scripts/bench about the test map: what recording costs the tests, and what the map adds to the store.

The tests run as `kanmon run` starts them: with the library that keeps counters in files and the observer of XCTest, once with a file
of records and once without. Hashing is the same every time, so that both sides do the same.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import zlib

PACKAGES = {"swift-argument-parser": "swift-argument-parser 1.8.2", "Yams": "Yams 6.2.2"}


class Recording:
    """A package that was run twice, and its test binary."""

    def __init__(self, bench, name: str):
        self.folder = bench.WORK / "recording-rows" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.package = bench.clone(name)
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        command = [bench.kanmon(), "run", "--package-path", self.package, "--home", self.folder / "home", "--engine", "direct",
                   "--exit-zero"]
        for _ in range(2):
            bench.shell(*command, stderr=subprocess.DEVNULL, env=environment)
        self.runs = sorted((self.folder / "home").glob("runs/*/*"))
        manifest = json.loads((self.runs[-1] / "manifest.json").read_text())
        self.binary = next(step["arguments"][0] for step in manifest["steps"] if step["kind"] == "list")
        self.library = next((self.folder / "cache" / "kanmon" / "observer").glob("*/libkanmon-preload.so"))

    def side(self, bench, name: str, records: bool):
        place = self.folder / name

        def prepare():
            shutil.rmtree(place, ignore_errors=True)
            (place / "profiles").mkdir(parents=True)

        variables = {
            "LD_PRELOAD": self.library, "KANMON_LIVE_PROFILES": place / "profiles", "LLVM_PROFILE_FILE": place / "profiles" / "%2m.profraw",
            "KANMON_OBSERVER_LIBRARY": self.library.with_name("libkanmon-observer.so"), "KANMON_OBSERVER_RECORDS": place / "observer",
            "SWIFT_DETERMINISTIC_HASHING": 1,
        } | ({"KANMON_TEST_RECORDS": place / "records"} if records else {})
        words = ["env", "-C", self.package, *(f"{key}={value}" for key, value in variables.items()), self.binary]
        return bench.Side(name, words, prepare)

    def sizes(self) -> list:
        """The bytes that the map of each run added to the store, in the order of the runs."""
        store = sqlite3.connect(f"file:{self.folder / 'home' / 'kanmon.sqlite'}?mode=ro", uri=True)
        known, added = set(), []
        for (row,) in store.execute("SELECT test_map FROM run ORDER BY started_at"):
            contents = {row} | entries(store.execute("SELECT body FROM content WHERE id = ?", (row,)).fetchone()[0])
            new = contents - known
            known |= contents
            added.append(sum(store.execute("SELECT length(body) FROM content WHERE id = ?", (one,)).fetchone()[0] for one in new))
        return added


def entries(packed: bytes) -> set:
    """The contents that a list of a map names; docs/storage.md describes it."""
    at = next(index for index, byte in enumerate(packed) if byte < 0x80) + 1
    data, numbers, value, shift = zlib.decompress(packed[at:]), [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    rows, path, functions = set(), 0, 0
    rest = [(number >> 1) ^ -(number & 1) for number in numbers[1 + 2 * numbers[0]:]]
    for first, second in zip(rest[::2], rest[1::2]):
        path, functions = path + first, functions + second
        rows |= {path, functions}
    return rows


def rows(bench) -> list:
    found = []
    for name, title in PACKAGES.items():
        recording = Recording(bench, name)
        found.append(bench.Row(f"{title}: tests, recorded", recording.side(bench, "recorded", True),
                               recording.side(bench, "not recorded", False), "cpu", 1.02, pairs=15))
        first, second = recording.sizes()
        size = (recording.runs[0] / "test-map.jsonl").stat().st_size / 1000
        found += [bench.Size(f"{title}: test map in the store", first / 1000, size, "test-map.jsonl", "KB", 100),
                  bench.Size(f"{title}: test map of a further run", second / 1000, size, "test-map.jsonl", "KB", 10)]
    return found
