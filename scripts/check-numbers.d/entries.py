"""What the lists of the store hold, decoded as docs/storage.md describes it: tests, results, files and modules."""

import zlib

from words import FAILURES

EXECUTED = {"passed", "failed", "crashed", "timed out", "known issue"}
METRICS = ("line", "region", "function")


def unpacked(packed: bytes) -> bytes:
    """A list: its length, and a zlib stream."""
    reader = Numbers(packed)
    length = reader.take()
    data = zlib.decompress(packed[reader.place:])
    if len(data) != length:
        raise ValueError("a list has another length than it says")
    return data


class Numbers:
    """LEB128 integers, zigzag where they can be negative."""

    def __init__(self, data: bytes):
        self.data, self.place = data, 0

    def __bool__(self) -> bool:
        return self.place < len(self.data)

    def take(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def zigzag(self) -> int:
        value = self.take()
        return value >> 1 ^ -(value & 1)

    def bytes(self, count: int) -> bytes:
        self.place += count
        return self.data[self.place - count:self.place]


def duration_of(number: int) -> int:
    """The nanoseconds of the number of a duration: three digits of it are kept."""
    if number < 1000:
        return number
    power, digits = divmod(number - 1000, 900)
    return (digits + 100) * 10 ** (power + 1)


class Test:
    """The identity of a test."""

    def __init__(self, row: int, module: str, suite: str, name: str, discriminator: str):
        self.row, self.module, self.suite, self.name, self.discriminator = row, module, suite, name, discriminator
        path = f"{suite}/{name}" if suite else name
        self.identity = f"{module}.{path}" + (f" ({discriminator})" if discriminator else "")

    @property
    def key(self) -> tuple:
        return tuple(part.encode() for part in (self.module, self.suite, self.name, self.discriminator))


class Result:
    """How a test ended in a run."""

    def __init__(self, run, test: Test, edition: int, outcome: str, attempts: list, duration: int | None):
        self.run, self.test, self.edition, self.outcome, self.attempts, self.duration = run, test, edition, outcome, attempts, duration

    @property
    def is_failure(self) -> bool:
        return self.outcome in FAILURES

    @property
    def is_recovered(self) -> bool:
        """Whether it passed after an attempt that failed."""
        return not self.is_failure and any(attempt in FAILURES for attempt in self.attempts)

    @property
    def issues(self) -> list:
        return self.run.store.issues_of(self.run.row, self.test.row)

    @property
    def description(self) -> dict:
        return self.run.store.description(self.test.row, self.edition)

    @property
    def title(self) -> str | None:
        """What a reader calls it: its display name, after that of its suite; `None` where it has neither."""
        suite, name = self.description.get("suite_display_name"), self.description.get("display_name")
        return name if suite is None else f"{suite} › {name or self.test.name}"


class File:
    """The coverage of a file: its counts, and whether each executable line was executed."""

    def __init__(self, path: str, module: str, body: bytes):
        self.path, self.module, self.counts = path, module, {}
        numbers = Numbers(body)
        kind = numbers.bytes(1)[0]
        if kind:
            numbers.bytes(32 if kind == 1 else numbers.take())
        self.regions = (numbers.zigzag(), numbers.zigzag())
        self.functions = (numbers.zigzag(), numbers.zigzag())
        self.lines, last = {}, 0
        while numbers:
            first = last + numbers.take() + 1
            span = numbers.take()
            last = first + (span >> 1) - 1
            for line in range(first, last + 1):
                self.lines[line] = bool(span & 1)

    @property
    def tally(self) -> tuple:
        return sum(self.lines.values()), len(self.lines)

    @property
    def missed_ranges(self) -> list:
        """Lines in a row of executable ones that were missed: others may lie between them."""
        ranges, begun = [], None
        for line in sorted(self.lines):
            if self.lines[line]:
                begun = None
            elif begun is None:
                begun = [line, line]
                ranges.append(begun)
            else:
                begun[1] = line
        return [tuple(each) for each in ranges]


class Module:
    def __init__(self, status: dict, tallies: dict):
        self.name, self.floors, self.tallies = status["module"], status.get("floors", {}), tallies
        self.excluded, self.unmeasurable = status.get("excludedFiles", 0), status.get("notMeasurable")

    @property
    def lines(self) -> tuple:
        return self.tallies["line"]

    @property
    def is_measured(self) -> bool:
        return self.unmeasurable is None and self.lines[1] > 0

    def is_under(self, metric: str, floor: str | None = None) -> bool:
        """Whether it covers less than a floor of it; compared as whole numbers, so that nothing is rounded."""
        floor = floor or self.floors.get(metric)
        covered, total = self.tallies[metric]
        return floor is not None and total > 0 and covered * 100_000 < thousandths(floor) * total

    @property
    def is_under_any(self) -> bool:
        return self.is_measured and any(self.is_under(metric) for metric in METRICS)


def thousandths(floor: str) -> int:
    whole, _, rest = floor.partition(".")
    return int(whole) * 1000 + int((rest + "000")[:3])
