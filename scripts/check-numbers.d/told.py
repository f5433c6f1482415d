"""What several pages say of the same things: verdicts, lists of runs, tests that fail since a commit, charts.

What is expected is made of the store alone. Every page that names a run is held against the same words here, so no two pages can
say different things of it.
"""

import json

import words
from entries import EXECUTED, thousandths
from stored import Run, Store, Verdict

# What a rule is called where a list tells in a few words why a run is blocked, and the rules of tests, which are named first.
BROKEN = {"patch": "the change is under its floor", "project": "the project is under its floor"}
QUARANTINED = "quarantined"


def broken(verdict: Verdict) -> str:
    """Why the gate blocked a run whose tests passed: `2 modules under their floors`."""
    counts: dict = {}
    for violation in verdict.body["violations"]:
        counts[violation["rule"]] = counts.get(violation["rule"], 0) + 1
    under = len({str(violation["subject"]) for violation in verdict.body["violations"] if violation["rule"] == "floor"})
    parts = []
    if under:
        parts.append(f"{words.counted(under, 'module')} under {'its floor' if under == 1 else 'their floors'}")
    for rule, count in counts.items():
        if rule == "gate-change":
            parts.append(f"{words.counted(count, 'gate change')} without a waiver")
        elif rule != "floor":
            parts.append(BROKEN.get(rule, rule))
    text = ", ".join(parts)
    return text[:1].upper() + text[1:] if text else "Blocked by the gate"


def short_verdict(run: Run, verdict: Verdict | None = None) -> str:
    """How a run ended, in a word or two, as every list tells it.

    A run with a failed test never just "passed": whatever failed must be in quarantine, or fail on the base, and it says how many.
    """
    verdict = verdict or run.verdict
    count = len(verdict.body.get("allowedFailures", []))
    allowed = [words.counted(count, "failure") + " of the base let through"] if count else []
    said = {2: lambda: ", ".join([broken(verdict)] + allowed), 3: lambda: "Build failed", 4: lambda: "Undecided", 5: lambda: "No tests ran"}
    if verdict.status == 0:
        others = run.failures - count
        text = ", ".join(["Passed"] + allowed + ([f"{others:,} {QUARANTINED}"] if others else []))
    elif verdict.status == 1:
        text = words.counted(run.failures, "test") + " failed"
    else:
        text = said[verdict.status]()
    return text + (", part" if run.is_partial else "")


def signed(run: Run, verdict: Verdict | None = None) -> str:
    return f"{words.SIGNS[(verdict or run.verdict).decision]} {short_verdict(run, verdict)}"


def is_consistent(run: Run) -> list:
    """What a verdict and its own numbers contradict each other in."""
    verdict, wrong = run.verdict, []
    excused = {(entry["id"]["module"], entry["id"]["suite"], entry["id"]["name"]) for entry in verdict.body["quarantine"] if "id" in entry}
    excused |= {(entry["test"]["module"], entry["test"]["suite"], entry["test"]["name"]) for entry in verdict.body.get("allowedFailures", [])}
    blamed = [result for result in run.results if result.is_failure
              and (result.test.module, result.test.suite, result.test.name) not in excused]
    decisions = {0: "passed", 1: "failed", 2: "failed", 3: "failed", 4: "undecided", 5: "undecided"}
    if decisions.get(verdict.status) != verdict.decision:
        wrong.append(f"exit status {verdict.status} of a run that is {verdict.decision}")
    if verdict.decision == "passed" and blamed:
        wrong.append(f"passed, with {len(blamed)} failed tests out of quarantine")
    if verdict.status == 1 and not blamed:
        wrong.append("blocked by tests, and none failed out of quarantine")
    if verdict.decision == "passed" and any(module.is_under_any for module in verdict.modules) and not run.is_partial:
        wrong.append("passed, with a module under its floor")
    return wrong


def doubt(run: Run) -> str | None:
    """Why a run says nothing of its branch."""
    return None if run.is_exact else "working copy"


def run_cells(run: Run, showing_project: bool) -> list:
    """The cells of a run in a list of runs: verdict, commit, tests, lines, duration."""
    about = [run.subject if run.subject is not None else run.package]
    if showing_project:
        about.append(run.project)
    about += [run.branch, run.commit_id and run.commit_id[:8], run.author, doubt(run)]
    tests = [f"{run.total:,}"]
    details = [(run.failures, "failed"), (run.outcomes["skipped"], "skipped"), (run.outcomes["not run"], "not run")]
    tests.append(", ".join(f"{number:,} {word}" for number, word in details if number))
    lines = "–" if run.lines is None else f"{words.percent(*run.lines)} {words.tally(*run.lines)}"
    return [signed(run), " ".join(part for part in about if part), " ".join(tests), lines, words.duration(run.duration), None]


def run_table(page, table, runs: list, what: str, showing_project: bool = False) -> None:
    """Expects a list of runs, in order; the last cells of a row are its moment and the choice to compare it."""
    rows = page.rows(table)
    expected = [run_cells(run, showing_project) for run in runs]
    flaky = [sum(result.is_recovered for result in run.results) for run in runs]
    if any(flaky):
        for cells, number in zip(expected, flaky):
            cells.insert(-1, f"{number:,}" if number else "–")
    page.compare_rows(table, [cells + [None] * (len(row) - len(cells)) for cells, row in zip(expected, rows)]
                      + expected[len(rows):], what)
    for run, row in zip(runs, rows):
        moment(page, row[6 if any(flaky) else 5], run, f"{what}, run {run.short}")
        leads(page, row[0], run, what)


def leads(page, element, run: Run, what: str) -> None:
    """Expects a link to the page that tells of the run what is told here."""
    if element is not None and element.href and not element.href.endswith(run.address):
        page.finding(f"{what}: {element.words!r} leads to {element.href}, and not to {run.address}")


def moment(page, cell, run: Run, what: str) -> None:
    """Expects the beginning of a run in a cell with a time."""
    time = cell if cell.tag == "time" else cell.one("time")
    if time is None:
        page.finding(f"{what}: no time is told")
        return
    begun = words.exact(run.began_at)
    page.equal(time.attributes.get("datetime"), begun.replace(" UTC", "Z").replace(" ", "T"), f"{what}: when it began")
    page.speaks(time, "title", begun, f"{what}: when it began")
    page.says(time, ago(page, run), f"{what}: how long ago it began")


def ago(page, run: Run) -> str:
    return words.ago(page.now - run.began_at / 1e9)


def culprits(store: Store, project: str) -> list:
    """What searches for the commit that broke a test have found, the newest first, where they name one commit."""
    found = [json.loads(row["body"]) for row in store.all(
        "SELECT body FROM culprit WHERE project = ? ORDER BY found_at DESC, id DESC", project.encode())]
    return [each for each in found if each.get("reason") is None and len(each["suspects"]) == 1]


def is_about(culprit: dict, test) -> bool:
    return (culprit["test"]["module"], culprit["test"]["suite"], culprit["test"]["name"]) == (test.module, test.suite, test.name)


def percentage(culprit: dict) -> str:
    thousandths_of_it = int(max(0, min(0.999, culprit["probability"])) * 1000)
    return f"{thousandths_of_it // 10}.{thousandths_of_it % 10} %"


def broken_by(result, first: Run, passed: Run | None) -> dict | None:
    """What was found to have broken a test that fails since a run."""
    return next((each for each in culprits(first.store, first.project) if passed and is_about(each, result.test)
                 and each["good"] == passed.commit_id), None)


def broken_words(culprit: dict | None) -> str | None:
    if culprit is None:
        return None
    commit = culprit["suspects"][0]
    return f"commit {commit['commit'][:12]} by {commit['author']} broke it ({percentage(culprit)})"


def since_cell(page, run: Run | None, broken: str | None = None) -> str:
    """A run since which a test fails, or in which it passed last: its commit, what broke the test, author, time and subject."""
    if run is None:
        return "–"
    about = " · ".join(part for part in (broken, run.author, ago(page, run), run.subject) if part)
    return f"{run.commit_id[:8] if run.commit_id else 'run ' + run.short} {about}"


def failing(store: Store, project: str, branch: str | None) -> list:
    """What fails in the newest state of a branch: for each test the result, the first run of the failures, and the last that passed.

    Followed from the tip backwards: runs that did not execute the test say nothing.
    """
    states = store.states(project, branch)
    if not states:
        return []
    found = []
    for result in states[0].run.results:
        if not result.is_failure:
            continue
        first, passed = states[0].run, None
        for state in states[1:]:
            earlier = state.run.result(result.test)
            if earlier is None or earlier.outcome not in EXECUTED:
                continue
            if not earlier.is_failure:
                passed = state.run
                break
            first = state.run
        found.append((result, first, passed))
    return found


def failing_rows(page, found: list, detail) -> list:
    return [[" ".join(part for part in (test_cell(result, detail(result)),) if part),
             since_cell(page, first, broken_words(broken_by(result, first, passed))), since_cell(page, passed)]
            for result, first, passed in found]


def test_cell(result, detail: str | None = None, title: str | None = None) -> str:
    """A test by its display name with its identity below it, or by its identity."""
    title = title or result.title
    below = " · ".join(part for part in (result.test.identity if title else None, detail) if part)
    return " ".join(part for part in (title or result.test.identity, below) if part)


def message(result) -> str | None:
    """What the first failure of a test said."""
    said = next((issue["message"] for issue in result.issues if not issue["is_known"] and not issue["is_warning"]), None)
    return said and (said if len(said) <= 300 else said[:300] + " …")


def chart(page, title: str, summary: str, points: list, scale: list | None, has_feet: bool = False) -> None:
    """Expects a chart: its summary, its scale, and what each of its marks says; points are runs with words, the oldest first.

    With feet, every run has a mark below the curve that says the same.
    """
    figure = next((each for each in page.main.all("figure", "chart") if each.one("strong") and each.one("strong").words == title), None)
    if figure is None:
        page.finding(f"the chart {title!r} is missing")
        return
    page.says(figure.one("figcaption"), f"{title} {summary}", f"the caption of the chart {title!r}")
    plot = figure.one("svg", "plot")
    page.speaks(plot, "aria-label", f"{title}: {summary}", f"the label of the chart {title!r}")
    if scale is not None:
        page.says(figure.one("ol", "scale"), " ".join(scale), f"the scale of the chart {title!r}")
    marks = [mark for mark in plot.all("rect") if mark.one("title")]
    told = [mark.one("title").words for mark in marks]
    page.explain([text for mark in plot.all() for text in mark.every_text()])
    for link in plot.all("a"):
        label = link.attributes.get("aria-label")
        if label is not None and link.one("title") and label != link.one("title").words:
            page.finding(f"the chart {title!r} labels a mark {label!r}, and titles it {link.one('title').words!r}")
    # A run with failures has two marks: what failed, and the rest.
    single = [told[place] for place in range(len(told)) if place == 0 or told[place] != told[place - 1]]
    expected = [text for _, text in points] * (1 + has_feet)
    expected = [expected[place] for place in range(len(expected)) if place == 0 or expected[place] != expected[place - 1]]
    if single != expected:
        wrong = next(((one, other) for one, other in zip(single, expected) if one != other), (len(single), len(expected)))
        page.finding(f"the chart {title!r} says {wrong[0]!r}, but by the store {wrong[1]!r}")
    shown = figure.one("p", "days")
    if shown and points:
        expected = [words.exact(run.began_at)[:10] for run in (points[0][0], points[len(points) // 2][0], points[-1][0])]
        page.says(shown, " ".join(expected), f"the days of the chart {title!r}")


def percent_scale(shares: list) -> list:
    """The scale of percentages: from a multiple of ten below the least to one above the most, at least twenty apart."""
    least = int(min(shares, default=0) * 100) // 10 * 10
    most = min(100, -(-int(-(-max(shares, default=1) * 100 // 1)) // 10) * 10)
    low = max(0, min(least, most - 20))
    high = max(most, low + 20)
    return [f"{high} %", f"{(low + high) // 2} %", f"{low} %"]


def step(most: float) -> int:
    power = 1
    while True:
        for digit in (1, 2, 3, 4, 5, 6, 8):
            if 2 * digit * power >= most:
                return digit * power
        power *= 10


def count_scale(most: int) -> list:
    half = step(most)
    return [f"{2 * half:,}", f"{half:,}", "0"]


def seconds_scale(most: float) -> list:
    name, unit = next(((name, unit) for name, unit in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)) if most >= 2 * unit), ("µs", 1e-6))
    half = step(most / unit)
    return [f"{2 * half:,} {name}", f"{half:,} {name}", "0"]


def share(lines: tuple | None) -> float | None:
    return lines[0] / lines[1] if lines and lines[1] else None


def floor_words(floor: str) -> str:
    return f"{thousandths(floor) / 1000:g} %"
