"""How tests fare over months: rates, what is broken and not flaky, where and when a test fails, and what ends soon."""

import collections
import datetime
import json
import math
import re

import told
import words
from entries import EXECUTED
from words import counted, percent

DAY = 86_400 * 10**9
# How many days before its last day an entry of the quarantine ends soon, and how many days a proposed one lasts.
AHEAD = 14
NUMBERS = re.compile(r"0[xX][0-9a-fA-F]*|[0-9](?:[0-9]|[.,](?=[0-9]))*")


def executions(store, project: str, now: float, days: int) -> dict:
    """The results of every test that was executed in the last days, the oldest first."""
    since, tests = now * 10**9 - days * DAY, {}
    for run in reversed(store.of_project(project)):
        if run.started_at >= since:
            for result in run.results:
                if result.outcome in EXECUTED:
                    tests.setdefault(result.test, []).append(result)
    return tests


def wilson(failures: int, count: int) -> tuple:
    """Between which shares the true one lies at 95 %: the score interval of Wilson."""
    if not count:
        return 0, 1
    z, share = 1.959963984540054, failures / count
    scale = 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale
    return 0 if not failures else max(0, middle - half), 1 if failures == count else min(1, middle + half)


def interval(failures: int, count: int) -> str:
    low, high = wilson(failures, count)
    tenths = math.floor(low * 1000), math.ceil(high * 1000)
    return f"{tenths[0] // 10}.{tenths[0] % 10}–{tenths[1] // 10}.{tenths[1] % 10} %"


def rate_words(failures: int, count: int) -> str:
    return f"{failures:,} of {counted(count, 'run')}, {percent(failures, count)} (95 %: {interval(failures, count)})"


def varied(result) -> bool:
    """Whether it passed in the run and failed there, in another attempt or when it was repeated."""
    return result.is_recovered or not result.is_failure and result.test.row in result.run.unproven


def is_troubled(result) -> bool:
    return result.is_failure or varied(result)


def breakage(results: list, branch: str | None) -> tuple | None:
    """The first run of the failures with which a test ends, and how many they are, if they are more than its rate before explains."""
    failures, since, before = 0, None, []
    for result in reversed(results):
        if result.run.tree_id is None or branch and result.run.branch != branch:
            continue
        if result.is_failure and not before:
            failures, since = failures + 1, result.run
        else:
            before.append(is_troubled(result))
    chance = wilson(sum(before), len(before))[1] ** min(failures, 10)
    return (since, failures) if failures >= 10 or failures >= 3 and chance < 0.05 else None


def tested_branch(store, project: str) -> str | None:
    branch = store.default_branch(project)
    return branch if branch and store.states(project, branch) else None


def rate(results: list, broken: tuple | None) -> tuple:
    """In how many runs an attempt failed, and in how many it was executed; of a broken test before it broke."""
    failed = broken[1] if broken else 0
    return sum(map(is_troubled, results)) - failed, len(results) - failed


def figures(store, project: str, now: float) -> dict:
    """By test, with what it is: its breakage, and its rate."""
    branch, found = tested_branch(store, project), {}
    for test, results in executions(store, project, now, 30).items():
        broken = breakage(results, branch)
        found[test] = broken, rate(results, broken)
    return found


def window(store, project: str, now: float, days: int = 30) -> tuple:
    """How many runs answer for their tree, how many of them passed, and in how many of those a retry hid a flaky test."""
    shards = {row["shard"] for row in store.all("SELECT shard FROM run_shard")}
    runs = [run for run in store.of_project(project)
            if run.started_at >= now * 10**9 - days * DAY and run.is_exact and run.id not in shards]
    green = [run for run in runs if run.decision == "passed"]
    return len(runs), len(green), sum(any(result.is_recovered for result in run.results) for run in green)


def window_words(runs: int) -> str:
    return "1 run of an exact tree" if runs == 1 else f"{runs:,} runs of exact trees"


def ending(store, project: str, now: float) -> list:
    """The entries of the quarantine of a project that have ended or end soon, those that end first at the top."""
    verdict = store.state(project)[1]
    soon = (words.moment(now * 10**9).date() + datetime.timedelta(days=AHEAD)).isoformat()
    found = [status["entry"] for status in (verdict.body["quarantine"] if verdict else [])]
    return sorted((entry for entry in found if entry["expires"] <= soon), key=lambda entry: (entry["expires"], entry["test"].encode()))


def watched(page, store, projects: list, left, shows_project: bool) -> None:
    """Expects the entries of quarantines that end soon; `left` tells a last day."""
    found = sorted(((project, entry) for project in projects for entry in ending(store, project, page.now)),
                   key=lambda each: each[1]["expires"])
    table = page.table_below("Quarantine that ends soon")
    if found or table:
        page.compare_rows(table, [[f"{entry['test']} {project}" if shows_project else entry["test"], entry["owner"],
                                   left(page, entry["expires"])] for project, entry in found[:20]], "the quarantine that ends soon")


def hidden(page, store, project: str) -> None:
    """Expects how many runs of a project are green by a retry."""
    count = window(store, project, page.now)[2]
    found = section(page, "Green by a retry")
    if count or found:
        page.says(found and found.one("p", "note"), f"In {counted(count, 'green run')} of the last 30 days a test failed and passed "
                                                    "when it was repeated.", "what a retry hid")


def section(page, title: str):
    return next((each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == title), None)


# --- The page of a test -------------------------------------------------------------------------------------------------------

def test(page, store, project: str, which) -> None:
    """Expects how a test fared over months, if it is flaky, or was before it broke."""
    results = executions(store, project, page.now, 180).get(which, [])
    changed, flips, trees = changes(results)
    if not any(len(kinds) == 2 for kinds in trees.values()) and flips <= 2:
        for title in ("Flaky", "Broken"):
            if section(page, title):
                page.finding(f"the test is said to be {title.lower()}")
        return
    broken = breakage(results, tested_branch(store, project))
    failures, count = rate(results, broken)
    since = words.exact(int(page.now * 10**9 - 180 * DAY))[:10]
    text = f"Flaky: an attempt failed in {rate_words(failures, count)}."
    if broken:
        text = (f"Broken, not flaky: it failed in the last {counted(broken[1], 'run')} of the default branch, since run {broken[0].short}."
                + (f" Before, an attempt failed in {rate_words(failures, count)}." if count else ""))
    found = section(page, "Broken" if broken else "Flaky")
    looked = window_words(window(store, project, page.now, 180)[0])
    page.says(found and found.one("p", "note"), f"{text} Looked at: {looked} since {since}.", "how flaky it is")
    ends = [("First change of outcome", changed[0]), ("Last change of outcome", changed[-1])] if changed else []
    table = page.table_below("Broken" if broken else "Flaky")
    page.compare_rows(table, [[title, place(run), None] for title, run in ends], "since when it is flaky")
    for cells, (_, run) in zip(page.rows(table), ends):
        told.moment(page, cells[2], run, "a change of outcome")
    messages(page, results)
    places(page, store, project, which, results)
    proposal(page, store, project, which, broken, f"failed in {failures:,} of {count:,} runs since {since}")
    hours(page, results)


def changes(results: list) -> tuple:
    """The runs in which the outcome changed, the most flips on a branch, and the outcomes on every tree."""
    changed, flips, last, trees = [], collections.Counter(), {}, {}
    for result in results:
        run, is_flip = result.run, False
        if run.tree_id is None:
            trees[run.id] = {True, False} if varied(result) else set()
        else:
            trees.setdefault(run.tree_id, set()).update({result.is_failure} | ({True} if varied(result) else set()))
            is_flip = last.get(run.branch, result.is_failure) != result.is_failure
            flips[run.branch] += is_flip
            last[run.branch] = result.is_failure
        if is_flip or varied(result):
            changed.append(run)
    return changed, max(flips.values(), default=0), trees


def place(run) -> str:
    """A run by its commit: `9f3c2ab1 run 0123456789ab`."""
    return f"{run.commit_id[:8]} run {run.short}" if run.commit_id else f"run {run.short}"


def said(result) -> str | None:
    """What the first attempt that failed said first."""
    first = next((number for number, outcome in enumerate(result.attempts) if outcome in words.FAILURES), 0)
    return next((issue["message"] for issue in result.issues if issue["attempt"] == first
                 and not issue["is_known"] and not issue["is_warning"] and not issue["is_cancellation"]), None)


def messages(page, results: list) -> None:
    found = {}
    for result in filter(is_troubled, results):
        message = said(result)
        kind = found.setdefault(NUMBERS.sub("#", message or ""), [message, 0, result.run, result.run])
        kind[1], kind[3] = kind[1] + 1, result.run
    listed = [found[key] for key in sorted(found, key=lambda key: (-found[key][1], -found[key][3].began_at, key.encode()))][:10]
    table = page.table_below("What it says")
    texts = [(message if len(message) <= 300 else message[:300] + " …") if message else "nothing was said" for message, *_ in listed]
    page.compare_rows(table, [[text, f"{count:,}", place(first), None, place(last), None]
                              for text, (_, count, first, last) in zip(texts, listed)], "what it says")
    for cells, (_, _, first, last) in zip(page.rows(table), listed):
        told.moment(page, cells[3], first, "the first failure of a kind")
        told.moment(page, cells[5], last, "the last failure of a kind")


def places(page, store, project: str, which, results: list) -> None:
    machines, toolchains, company = {}, {}, {True: [0, 0], False: [0, 0]}
    for result in results:
        columns, failed = result.run.columns, is_troubled(result)
        origin, machine, toolchain = (json.loads(store.content(columns[name])) if columns[name] is not None else {}
                                      for name in ("origin", "machine", "toolchain"))
        cores = machine.get("cores")
        name = origin.get("host") or (machine and f"{machine['processor']}, {cores} {'core' if cores == 1 else 'cores'}")
        tallies = [company[sum(result.run.outcomes[kind] for kind in EXECUTED) == 1]]
        tallies += [machines.setdefault(name, [0, 0])] if name else []
        tallies += [toolchains.setdefault(toolchain["swiftVersion"], [0, 0])] if toolchain.get("swiftVersion") else []
        for tally in tallies:
            tally[0], tally[1] = tally[0] + failed, tally[1] + 1
    rows = [[f"{word} {name}", *tallies[name]] for word, tallies in (("on", machines), ("with", toolchains))
            for name in sorted(tallies, key=lambda name: (-tallies[name][0], -tallies[name][1], name.encode()))[:10]]
    rows += [[word, *company[alone]] for word, alone in (("alone", True), ("among other tests", False)) if company[alone][1]]
    rows = [[name, f"{failures:,} of {count:,}", percent(failures, count), interval(failures, count)] for name, failures, count in rows]
    full = next((run for run in store.of_project(project) if run.is_exact and not run.is_partial
                 and any(run.outcomes[kind] for kind in EXECUTED)), None)
    if full and store.all("SELECT 1 FROM finding WHERE run = ? AND is_gap = 0 AND code = 'order-dependent' AND subject = ?",
                          full.row, which.identity):
        rows.append(["when one test runs at a time", "it failed in the latest full run", "–", "–"])
    table = page.table_below("Where it fails")
    if table:
        page.says(table.one("thead").all("th")[-1], "At 95 %", "the level of the intervals")
    page.compare_rows(table, rows, "where it fails")


def proposal(page, store, project: str, which, broken: tuple | None, reason: str) -> None:
    """Expects a proposed entry for a flaky test that has none; who owns it is for tests to compare."""
    verdict, found = store.state(project)[1], section(page, "Proposed quarantine")
    has_entry = any(status["entry"]["test"] == which.identity for status in (verdict.body["quarantine"] if verdict else []))
    page.equal(found is not None, not broken and not has_entry, "whether an entry of the quarantine is proposed")
    if found is None:
        return
    until = (words.moment(page.now * 10**9).date() + datetime.timedelta(days=AHEAD)).isoformat()
    note = found.one("p", "note")
    owner = re.fullmatch(r"In quarantine until \S+ for (.+?): .*", note.words)
    page.says(note, f"In quarantine until {until} for {owner.group(1) if owner else 'somebody'}: {reason}.", "the proposed entry")
    command = found.one("pre")
    page.equal(all(part in command.words for part in (f"--until={until} ", f"--reason='{reason}'", which.identity)), True,
               "the command of the proposed entry")
    page.explain(command.every_text())


def hours(page, results: list) -> None:
    figure = next((each for each in page.main.all("figure", "chart") if each.one("strong") and each.one("strong").words == "Hours"), None)
    if figure is None:
        page.finding("the chart of hours is missing")
        return
    tallies = [[0, 0] for _ in range(24)]
    for result in results:
        tally = tallies[words.moment(result.run.began_at).hour]
        tally[0], tally[1] = tally[0] + is_troubled(result), tally[1] + 1
    plot, summary = figure.one("svg", "plot"), "runs by the hour in which they began, UTC"
    page.says(figure.one("figcaption"), f"Hours {summary}", "the caption of the hours")
    page.speaks(plot, "aria-label", f"Hours: {summary}", "the label of the hours")
    page.says(figure.one("ol", "scale"), " ".join(told.count_scale(max(count for _, count in tallies))), "the scale of the hours")
    page.says(figure.one("p", "days"), "00:00 12:00 23:00", "the hours below")
    # An hour with failures has two marks: what failed, and the rest.
    marks = [mark.one("title").words for mark in plot.all("rect") if mark.one("title")]
    page.explain([text for mark in plot.all() for text in mark.every_text()])
    page.equal(list(dict.fromkeys(marks)), [f"{hour:02}:00: failed in {failures:,} of {counted(count, 'run')}"
                                            for hour, (failures, count) in enumerate(tallies) if count], "the hours")
