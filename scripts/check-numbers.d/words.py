"""How the pages write numbers, written again from docs/dashboard.md and docs/glossary.md."""

import datetime

SIGNS = {"passed": "✓", "failed": "✕", "undecided": "?"}
WORDS = {"passed": "Passed", "failed": "Blocked", "undecided": "Undecided"}
OUTCOMES = ("passed", "failed", "crashed", "timed out", "skipped", "known issue", "not run")
OUTCOME_SIGNS = {"passed": "✓", "failed": "✕", "crashed": "✕", "timed out": "✕", "skipped": "–", "known issue": "~", "not run": "?"}
FAILURES = {"failed", "crashed", "timed out"}
UNITS = ((63_072_000, None, 31_556_952, "year"), (4_838_400, None, 2_629_746, "month"), (1_209_600, None, 604_800, "week"),
         (129_600, 43_200, 86_400, "day"), (5_400, 1_800, 3_600, "hour"))


def counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def percent(covered: int, total: int) -> str:
    """Rounded down to one decimal, so that 100.0 % means all."""
    if not total:
        return "–"
    tenths = covered * 1000 // total
    return f"{tenths // 10}.{tenths % 10} %"


def tally(covered: int, total: int) -> str:
    return f"{covered:,} of {total:,}"


def share(lines: tuple | None) -> str:
    """A cell with a percentage and, below it, the lines: `85.7 % 252 of 294`."""
    if lines is None or not lines[1]:
        return "–"
    return f"{percent(*lines)} {tally(*lines)}"


def duration(nanoseconds: int) -> str:
    """Rounded down: `41.2 s`, `3 ms`, `2 min 5 s`."""
    microseconds = nanoseconds // 1000
    seconds = microseconds // 1_000_000
    if nanoseconds <= 0:
        return "0 s"
    if microseconds < 1000:
        return f"{microseconds} µs"
    if seconds == 0:
        return f"{microseconds // 1000} ms"
    if seconds < 60:
        return f"{seconds}.{microseconds // 100_000 % 10} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600:,} h {seconds % 3600 // 60} min"


def size(count: int) -> str:
    if count < 1024:
        return counted(count, "byte")
    unit, name = (1 << 20, "MiB") if count >= 1 << 20 else (1 << 10, "KiB")
    return f"{count // unit:,}.{count % unit * 10 // unit} {name}"


def outcomes(counts: dict, kinds=OUTCOMES) -> str:
    """Those that occur: `3 passed, 1 failed`, `2 known issues`."""
    return ", ".join(outcome(kind, counts[kind]) for kind in kinds if counts.get(kind))


def outcome(kind: str, number: int) -> str:
    return f"{number:,} {kind}{'s' if kind == 'known issue' and number != 1 else ''}"


def lines(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


def points(before: tuple | None, after: tuple | None) -> str:
    """The difference of two shares in percentage points, to the hundredth."""
    if not before or not after or not before[1] or not after[1]:
        return "–"
    # Half a hundredth is rounded away from zero.
    numerator, denominator = (after[0] * before[1] - before[0] * after[1]) * 10_000, before[1] * after[1]
    hundredths = (2 * abs(numerator) + denominator) // (2 * denominator)
    sign = "±" if not hundredths else "+" if numerator > 0 else "−"
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def moment(nanoseconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(nanoseconds // 1_000_000_000, datetime.timezone.utc)


def exact(nanoseconds: int) -> str:
    return f"{moment(nanoseconds):%Y-%m-%d %H:%M:%S} UTC"


def ago(seconds: float) -> str:
    """How long ago something was, as pages tell it."""
    elapsed = int(seconds)
    for least, half, unit, name in UNITS:
        if elapsed >= least:
            return counted((elapsed + (half or 0)) // unit, name) + " ago"
    return "just now" if elapsed < 45 else counted(max(1, (elapsed + 30) // 60), "minute") + " ago"
