"""The per-test coverage of a run: which tests execute which functions and lines."""

from entries import Numbers, Test, unpacked
from stored import Run, Store


def read(store: Store, run: Run) -> tuple:
    """The tests with the tenths of a millisecond that each took alone, and the functions of every file.

    A function is its lines, the tests that execute any of it, whether other code does, and the same for each of its spans.
    """
    numbers = Numbers(unpacked(store.content(run.columns["test_map"])))
    count, rows, last = numbers.take(), [], 0
    for _ in range(count):
        last += numbers.zigzag()
        rows.append(last)
    times = {row: (value - 1 if value else None) for row, value in zip(rows, [numbers.take() for _ in rows])}
    files, path, content = {}, 0, 0
    while numbers:
        path, content = path + numbers.zigzag(), content + numbers.zigzag()
        files[store.text(path)] = functions(store.content(content))
    return {store.tests[row]: time for row, time in times.items()}, files


def functions(packed: bytes) -> list:
    numbers, sets, found = Numbers(unpacked(packed)), [], []
    for _ in range(numbers.take()):
        head, rows, last = numbers.take(), set(), 0
        for _ in range(head >> 1):
            last += numbers.take()
            rows.add(last)
        sets.append((rows, bool(head & 1)))
    while numbers:
        symbol = numbers.bytes(numbers.take()).decode()
        first = numbers.take()
        end, tests, parts, line = first + numbers.take(), sets[numbers.take()], [], 0
        for _ in range(numbers.take()):
            begin = line + numbers.take()
            line = begin + numbers.take()
            parts.append((begin, line, sets[numbers.take()]))
        found.append((symbol, first, end, tests, parts))
    return found


def spans(lines: set) -> list:
    """Lines as ranges without holes."""
    found = []
    for line in sorted(lines):
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def executed(store: Store, project: str, test: Test) -> tuple:
    """The newest run whose map has a test, and for each file how many functions and which lines it executes."""
    for run in store.of_project(project):
        if run.columns["test_map"] is None:
            continue
        tests, files = read(store, run)
        if test not in tests:
            continue
        found = []
        for path, all_functions in files.items():
            lines = {line for _, _, _, _, parts in all_functions for begin, end, (rows, _) in parts if test.row in rows
                     for line in range(begin, end + 1)}
            count = sum(test.row in rows for _, _, _, (rows, _), _ in all_functions)
            if count:
                found.append((path, count, lines))
        return run, sorted(found)
    return None, []
