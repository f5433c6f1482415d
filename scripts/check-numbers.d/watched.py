"""Pages that tell what to look after: flaky and slow tests, exceptions, owners, unverified commits."""

import datetime
import re

import flakes
import words
from run_parts import tagged
from stored import Store
from words import counted, duration, percent


def flaky(page, store: Store) -> None:
    name, tag = page.query["project"], page.query.get("tag")
    kept, figures = page.query.get("kind"), flakes.figures(store, name, page.now)
    expected = {row[0].identity: row for row in flaky_tests(store, name, page.now)
                if not kept or (kept == "broken") == bool(figures[row[0]][0])}
    latest = latest_results(store, name)
    owners = quarantined(store, name)
    table = page.main.one("table", "sheet")
    rows = page.rows(table)
    expected = {identity: row for identity, row in expected.items() if identity not in latest or tagged(latest[identity], tag)}
    states, shares = [], []
    for cells in rows:
        identity = next((each for each in expected if each in cells[0].words), None)
        if identity is None:
            page.finding(f"{cells[0].words!r} is listed as flaky, but does not fail and pass on one tree, nor change more than twice")
            page.explain([text for cell in cells for text in cell.every_text()])
            continue
        test, trees, flips, failures, executions, recovered, last = expected.pop(identity)
        page.explain(cells[0].every_text())
        broken, rate = figures[test]
        states.append("✕ broken" if broken else "~ flaky")
        shares.append(rate[0] / max(1, rate[1]))
        page.says(cells[1], states[-1] + (f" {counted(broken[1], 'failure')} in a row" if broken else ""), f"{identity}: what it is")
        page.says(cells[2], f"{percent(*rate)} {flakes.interval(*rate)}" if rate[1] else "–", f"{identity}: its rate")
        for cell, text, what in zip(cells[3:], (f"{trees:,}", f"{flips:,}", f"{failures:,} of {executions:,}", f"{recovered:,}",
                                                f"run {last.short}", owners.get(identity, "–")),
                                    ("trees", "flips", "failures", "recoveries", "the last failure", "its quarantine"), strict=True):
            page.says(cell, text, f"{identity}: {what}")
    for identity, row in expected.items():
        page.finding(f"{identity} is not listed: it has {row[1]} trees with both outcomes, and {row[2]} flips")
    runs, green, hidden = flakes.window(store, name, page.now)
    page.says(page.main.one("p", "soft"), (f"{len(rows):,}. " if rows else "") + "Failed and passed on the same tree, or changed the "
              f"outcome more than twice on a branch, in the last 30 days: {flakes.window_words(runs)}."
              + (f" In {hidden:,} of {counted(green, 'green run')} a retry hid a flaky test." if hidden else ""), "what flaky tests are")
    if not page.query.get("sort"):
        page.equal(states, sorted(states), "broken tests come last")
    elif page.query["sort"] == "rate":
        page.equal(shares, sorted(shares, reverse=page.query.get("order") == "desc"), "the order by rate")


def quarantined(store: Store, project: str) -> dict:
    """Who answers for which test in quarantine, and until when, by the identity of the test."""
    verdict = store.state(project)[1]
    tests = {(test.module, test.suite, test.name): test.identity for test in store.tests.values()}
    found = {}
    for status in verdict.body["quarantine"] if verdict else []:
        if "id" in status:
            identity = tests.get(tuple(status["id"][part] for part in ("module", "suite", "name")))
            ending = "ended on" if "expired" in (status.get("fault") or {}) else "until"
            found[identity] = f"{status['entry']['owner']} {ending} {status['entry']['expires']}"
    return found


def flaky_tests(store: Store, project: str, now: float) -> list:
    """Of every test that disagrees with itself: trees, flips, failures, executions, recoveries, last failure.

    Flips are the most on any one branch.
    """
    found = []
    for test, results in flakes.executions(store, project, now, 30).items():
        _, most, trees = flakes.changes(results)
        both = sum(len(kinds) == 2 for kinds in trees.values())
        troubled = [result.run for result in results if flakes.is_troubled(result)]
        if both or most > 2:
            found.append((test, both, most, sum(result.is_failure for result in results), len(results),
                          sum(flakes.varied(result) for result in results), troubled[-1]))
    return found


def latest_results(store: Store, project: str) -> dict:
    """The results of the newest state of a project by the identity of the test."""
    runs = store.full_runs(project)
    return {result.test.identity: result for result in runs[0].results} if runs else {}


def slow(page, store: Store) -> None:
    name, tag = page.query["project"], page.query.get("tag")
    newest = store.full_runs(name)[:100]
    timed = [result for result in newest[0].results if result.duration is not None and tagged(result, tag)]
    slowest = sorted(timed, key=lambda result: (-result.duration, result.test.key))[:50]
    histories = {result.test: sorted(each.duration for run in newest for each in run.results
                                     if each.test is result.test and each.duration is not None) for result in slowest}
    rows = {}
    for result in slowest:
        history = histories[result.test]
        median = history[(len(history) - 1) // 2]
        grown = " more than twice the median" if result.duration > 2 * median else ""
        rows[result.test.identity] = [None, None, duration(result.duration) + grown,
                                      f"{duration(median)} of {counted(len(history), 'run')}", duration(history[-1])]
    table = page.main.one("table", "sheet")
    page.equal(len(page.rows(table)), len(rows), "how many slow tests are listed")
    for cells in page.rows(table):
        identity = next((each for each in sorted(rows, key=len, reverse=True) if each in cells[0].words), None)
        if identity is None:
            page.finding(f"{cells[0].words!r} is none of the slowest tests of the latest full run")
            continue
        page.explain(cells[0].every_text())
        for cell, text in zip(cells[2:], rows[identity][2:]):
            page.says(cell, text, f"{identity}, {cell.attributes.get('data-label')}")
        page.speaks(cells[1].one("svg"), "aria-label", rows[identity][2].removesuffix(" more than twice the median"),
                    f"{identity}: its bar")
    # Not every run has every test: what is said is true of the test with the most runs.
    most = max((len(history) for history in histories.values()), default=0)
    page.says(page.main.one("p", "soft"), f"{len(rows):,}. From the latest full run; the median is of the last "
              f"{counted(most, 'such run')}.", "what slow tests are")


def selection(page, store: Store) -> None:
    name = page.query["project"]
    # Those of runs that answer for their tree, or else of all others.
    trials = [trial for is_exact in (1, 0) for trial in store.all(
        "SELECT selection_trial.*, run.identity, is_exact FROM selection_trial JOIN run ON run.id = run JOIN project ON project.id = "
        "run.project WHERE project.name = ? AND is_exact = ? ORDER BY started_at DESC, identity DESC LIMIT 200", name.encode(), is_exact)]
    trials = [trial for trial in trials if trial["is_exact"] == trials[0]["is_exact"]]
    would = {True: "green, and the new failures missed", False: "red by a new failure, as it was"}
    kinds = {trial["identity"]: "green" if not trial["failures"] else "missed" if trial["missed"] == trial["failures"] else "red"
             for trial in trials}
    listed = [trial for trial in trials if page.query.get("kind", kinds[trial["identity"]]) == kinds[trial["identity"]]]
    page.compare_rows(page.main.one("table", "sheet"), [
        [f"run {trial['identity'][-12:]} by run {trial['base'][-12:]}", f"{trial['tests']:,}", f"{trial['deselected']:,}",
         duration(trial["deselected_time"]), f"{trial['failures']:,}", f"{trial['missed']:,}",
         "as it was, without a new failure" if not trial["failures"] else would[trial["missed"] == trial["failures"]]]
        for trial in page.listed(listed, {name: lambda trial, column=column: trial[column] for name, column in (
            ("tests", "tests"), ("deselected", "deselected"), ("duration", "deselected_time"), ("failures", "failures"), ("missed", "missed"))}, "time")],
        "the trials")
    summary = page.main.one("p", "soft")
    if not trials:
        return
    tests, deselected = sum(trial["tests"] for trial in trials), sum(trial["deselected"] for trial in trials)
    time, deselected_time = sum(trial["time"] for trial in trials), sum(trial["deselected_time"] for trial in trials)
    red = [trial for trial in trials if trial["failures"]]
    missed = sum(trial["missed"] == trial["failures"] for trial in red)
    # Percentages are rounded down everywhere, so that 100 % means all.
    rest = f"{missed} of {len(red)} that were red for a new reason would have been green" if red else "none was red for a new reason"
    page.says(summary, f"In {counted(len(trials), 'run')}, {percent(deselected, tests)} of the tests and "
                       f"{deselected_time * 100 // time} % of their time "
                       f"would have been left out; {rest}.", "what a selection would save")


def known_issues(page, store: Store) -> None:
    verdict = store.state(page.query["project"])[1]
    results = [result for result in verdict.run.results if result.outcome == "known issue" and tagged(result, page.query.get("tag"))]
    rows = page.rows(page.main.one("table", "sheet"))
    page.equal(len(rows), len(results), "how many tests have a known issue")
    page.says(page.main.one("p", "soft"), (f"{len(results):,}. " if results else "") + f"As it stood in {verdict.run.words}",
              "what is known")
    for cells in rows:
        result = next((each for each in results if each.test.identity in cells[0].words), None)
        if result is None:
            page.finding(f"{cells[0].words!r} has no known issue")
            continue
        page.explain(cells[0].every_text())
        issue = next(each for each in result.issues if each["is_known"])
        place = f"{issue['path']}:{issue['line']}" if issue["path"] else ""
        page.says(cells[1], f"{issue['message']} {place}", f"{result.test.identity}: what is known")


def left(page, day: str) -> str:
    today = datetime.datetime.fromtimestamp(page.now, datetime.timezone.utc).date()
    days = (datetime.date.fromisoformat(day) - today).days
    return f"{day} " + ("is over" if days < 0 else "today" if days == 0 else f"{counted(days, 'day')} left")


def exceptions(page, store: Store) -> None:
    run = store.state(page.query["project"])[1].run
    body = run.verdict.body
    page.says(page.main.one("p", "soft"), f"As it stood in {run.words}", "as of when")
    waivers = [each["waiver"] for each in (body.get("base") or {}).get("waivers", []) if each["state"] in ("used", "standing")]
    quarantine, owner = body["quarantine"], page.query.get("owner")
    off = run.manifest.get("selection", {}).get("disabledTargets", [])
    if owner:
        waivers, off, quarantine = [], [], [status for status in quarantine if status["entry"]["owner"] == owner]
    # The tables share an order, as far as they have its column; each entry of the demo is the only one of its table.
    if waivers:
        page.compare_rows(page.table_below("Waivers in force"), [
            [None, waiver["reason"], left(page, waiver["until"]), waiver["commit"][:12]] for waiver in waivers], "the waivers")
    if quarantine:
        rows = []
        for status in quarantine:
            outcome = status["outcome"].replace("-", " ")
            rows.append([f"{words.OUTCOME_SIGNS[outcome]} {outcome}", status["entry"]["test"], status["entry"]["owner"],
                         left(page, status["entry"]["expires"]), status["entry"]["reason"]])
        page.compare_rows(page.table_below("Tests in quarantine"), rows, "the quarantine")
    if off:
        page.compare_rows(page.table_below("Test targets that are switched off"), [
            [target, *next(([waiver["reason"], left(page, waiver["until"])] for waiver in waivers if waiver["subject"] == target),
                           [None, None])]
            for target in off], "the targets that are switched off")


def owners(page, store: Store) -> None:
    """Which owner a file has is for tests to compare; here it is that every failed test counts for somebody."""
    run = store.state(page.query["project"])[1].run
    rows = page.rows(page.main.one("table", "sheet"))
    summary = page.main.one("p", "soft")
    if not rows:
        page.equal(summary.words.endswith(f"As it stood in {run.words}"), True, "as of when owners are told")
        page.explain(summary.every_text())
        return
    page.explain(summary.every_text())
    failed = sum(result.is_failure for result in run.results)
    red = [int(cells[1].words.replace(",", "")) for cells in rows]
    page.equal(max(red) <= failed <= sum(red), True, f"{red} failed tests by owner, of {failed} that failed")
    for cells in rows:
        page.explain([text for cell in cells for text in cell.every_text()])


def exclusions(page, store: Store) -> None:
    run = store.state(page.query["project"])[1].run
    statuses = run.verdict.body["exclusions"]
    page.says(page.main.one("p", "soft"), (f"{len(statuses):,}. " if statuses else "") + f"As it stood in {run.words}", "as of when")
    rows = []
    for status in statuses:
        pattern = status["exclusion"]["path"]
        files = [file for file in run.files if re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), file.path)]
        lines = sum(file.tally[1] for file in files)
        executed = sum(file.tally[0] for file in files)
        rows.append([pattern, status["exclusion"].get("reason", "none is given"), f"{len(files):,}", f"{lines:,}", f"{executed:,}"])
    page.compare_rows(page.main.one("table", "sheet"), rows, "the excludes")


def unverified(page, store: Store) -> None:
    """The demo has no repository: only what the page says of itself can be compared."""
    rows = page.rows(page.main.one("table", "sheet"))
    summary = page.main.one("p", "soft")
    found = re.fullmatch(r"(?:([\d,]+)\. )?Of the last ([\d,]+) commits? of (\S+), first parents only\.", summary.words)
    if not found:
        return
    page.equal(int((found.group(1) or "0").replace(",", "")), len(rows), "how many commits are unverified")
    page.explain(summary.every_text())
    if page.query.get("sort") == "name":
        subjects = [cells[1].words for cells in rows]
        page.equal(subjects, sorted(subjects, key=str.encode, reverse=page.query.get("order") == "desc"), "the order by message")
    commits = [cells[2].words for cells in rows]
    for commit in sorted({each for each in commits if commits.count(each) > 1}):
        page.finding(f"the commit {commit} is listed {commits.count(commit)} times, and counted as often")
    branch = found.group(3).removeprefix("origin/")
    known = {verdict.run.commit_id for verdict in store.states(page.query["project"], branch)}
    without = {commit for commit in commits if not any(each.startswith(commit) for each in known)}
    page.equal(int(found.group(2).replace(",", "")), len(known) + len(without), "how many commits were looked at")
    if (remedy := page.main.one("div", "plain")) and remedy.one("p"):
        page.says(remedy.one("p"), f"The trees of the last {counted(int(found.group(2)), 'commit')} of {found.group(3)} have passed.",
                  "what passed")
    for cells in rows:
        page.explain([text for cell in cells for text in cell.every_text()])
        run = cells[0].href and store.by_id.get(cells[0].href.rsplit("/", 1)[-1])
        if run:
            page.says(cells[1], run.subject, f"the subject of {cells[2].words}")
            page.says(cells[0], f"{words.SIGNS[run.decision]} {words.WORDS[run.decision]}", f"the verdict on {cells[2].words}")
            newest = next(each for each in store.states(run.project, branch) if each.run.commit_id == run.commit_id).run
            page.equal(run.id, newest.id, f"the newest run of {cells[2].words}")
            passed = [each for each in store.of_project(run.project) if each.tree_id == run.tree_id and each.decision == "passed"
                      and not each.is_partial and each.started_at >= run.started_at]
            if passed:
                page.finding(f"{cells[2].words} is unverified, but run {passed[0].short} of its tree passed")
