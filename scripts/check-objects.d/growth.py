"""What an object store holds and costs after a year, worked out from what one run was measured to be."""

import typing

# Public list prices of Amazon S3 Standard in us-east-1, in dollars. Other stores have others; the formula is the same.
GIGABYTE_MONTH, PUT_OR_LIST, GET = 0.023, 0.005 / 1000, 0.0004 / 1000
# The seconds between two lists of the log by a server; the names in one list; the bytes of the index in a piece of a
# snapshot.
FOLLOWING, PAGE, PIECE = 4, 1000, 16 << 20
RATES = (100, 1_000, 10_000, 100_000)
DAYS, MONTH = 365, 30


class Measured(typing.NamedTuple):
    """What one run adds, on average."""

    objects: float
    blobs: float  # of the objects, those of files
    size: float  # bytes of all its objects
    puts: float  # requests that keep it
    index: float  # bytes of the index
    snapshot: float  # bytes of a snapshot


class Year(typing.NamedTuple):
    """What there is after a year with a number of runs a day, one server, and nothing removed."""

    objects: float
    size: float
    index: float
    snapshot: float
    pieces: float
    follow: float  # lists of a day, to follow the log
    start: float  # calls to begin with a snapshot
    rebuild: float  # calls to begin without one, beside one for each file
    sweep: float  # calls to list everything and read each manifest
    dollars: float  # of the last month


def year(measured: Measured, rate: int) -> Year:
    runs = rate * DAYS
    objects, size, index = runs * measured.objects, runs * measured.size, runs * measured.index
    pieces = index / PIECE + 1
    lists = 86_400 / FOLLOWING
    arrivals = runs / PAGE + 1
    sweep = objects / PAGE + runs
    # A snapshot each day, of which two are kept; the sweep once a day.
    dollars = (GIGABYTE_MONTH * (size + 2 * runs * measured.snapshot) / 1e9
               + PUT_OR_LIST * MONTH * (rate * measured.puts + lists + pieces + objects / PAGE) + GET * MONTH * runs)
    return Year(objects, size, index, runs * measured.snapshot, pieces, lists, 3 * arrivals + runs + pieces + 2, arrivals + 3 * runs, sweep, dollars)


def short(number: float) -> str:
    """A number with three digits and the letter of its thousands."""
    for unit in ("", "k", "M", "G", "T"):
        if number < 1000 or unit == "T":
            return f"{number:.3g}{unit}" if number < 1000 else f"{number:,.0f}{unit}"
        number /= 1000
    raise AssertionError(number)


def table(measured: Measured) -> str:
    """The rows of the table of docs/scale.md."""
    lines = [f"| runs a day | {' | '.join(f'{rate:,}' for rate in RATES)} |", "|---|" + "---|" * len(RATES)]
    years = [year(measured, rate) for rate in RATES]
    rows = {
        "objects after a year": "objects", "their bytes": "size", "bytes of the index": "index", "bytes of a snapshot": "snapshot",
        "its pieces": "pieces", "lists a day, for each server": "follow", "calls to begin with a snapshot": "start",
        "calls to begin without, beside one for each file": "rebuild", "calls of a sweep": "sweep", "dollars in the last month": "dollars"}
    lines += [f"| {name} | {' | '.join(short(getattr(one, field)) for one in years)} |" for name, field in rows.items()]
    return "\n".join(lines)
