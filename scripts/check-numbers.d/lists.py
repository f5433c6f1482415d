"""Pages that list: projects, branches, runs, tests, and what is said of them over many runs."""

import datetime
import re

import told
import words
from stored import EXECUTED, Store
from words import counted, duration, percent, share

DAY = 86_400 * 10**9
CHARTED = 100


def home(page, store: Store) -> None:
    projects = list(store.projects.values())
    states = {project: store.state(project) for project in projects}
    decisions = {project: state[1].decision if state[1] else None for project, state in states.items()}
    # What is undecided is not failing, and what failed is not undecided.
    failing = sum(decision == "failed" for decision in decisions.values())
    undecided = sum(decision == "undecided" for decision in decisions.values())
    summary = page.main.one("p", "soft")
    if failing and not undecided:
        page.says(summary, f"{failing:,} of {counted(len(projects), 'project')} {'is' if failing == 1 else 'are'} failing on "
                           f"{'its' if failing == 1 else 'their'} default branch.", "how many projects fail")
    elif not failing and not undecided:
        page.says(summary, "The default branch of every project passes.", "how many projects fail")
    elif str(failing) not in summary.words or "undecided" not in summary.words:
        page.finding(f"{summary.words!r}, but {failing} fail and {undecided} are undecided")
    order = ["failed", "undecided", None, "passed"]
    ranked = sorted(projects, key=lambda project: order.index(decisions[project]))
    rows, latest = [], [states[project][1] for project in ranked]
    for project, verdict in zip(ranked, latest):
        rows.append([told.signed(verdict.run, verdict), f"{project} {verdict.run.subject}", states[project][0] or "any", share(verdict.lines),
                     f"{len(store.of_project(project)):,}", None])
    table = page.table_below(None)
    page.compare_rows(table, rows, "the projects")
    for cells, verdict in zip(page.rows(table), latest):
        told.moment(page, cells[-1], verdict.run, f"the project {verdict.run.project}")
    found = [(project, *each) for project in projects for each in told.failing(store, project, states[project][0])]
    if found:
        page.compare_rows(page.table_below("Recent regressions"),
                          [told.failing_rows(page, [each], lambda result: project)[0] for project, *each in found], "the regressions")
    changes = sorted((store.states(project, branch)[0] for project in projects for branch in branches(store, project)
                      if branch != states[project][0]), key=lambda verdict: verdict.row["judged_at"], reverse=True)[:10]
    table = page.table_below("Latest changes")
    page.compare_rows(table, [[told.signed(change.run, change), f"{change.run.branch} {change.run.project}", change.run.author,
                               share(change.lines), None] for change in changes], "the latest changes")
    for cells, change in zip(page.rows(table), changes):
        told.moment(page, cells[-1], change.run, f"the branch {change.run.branch}")
    running(page, store)


def branches(store: Store, project: str) -> list:
    """The branches of a project with a state, those with the newest first."""
    names = {verdict.run.branch for verdict in store.states(project)}
    return sorted(names, key=lambda name: store.states(project, name)[0].row["judged_at"], reverse=True)


def running(page, store: Store) -> None:
    """What is in progress is in no table; the one run of the demo never ends, and its page tells the same as the lists."""
    section = page.table_below("Running now")
    for cells in page.rows(section):
        for cell in cells:
            page.explain(cell.every_text())
            if cell.one("bdi") and (found := re.search(r"(\d+) of (\d+), (\d+) failed", cell.words)):
                done, total, failed = map(int, found.groups())
                if not failed <= done <= total:
                    page.finding(f"{cell.words!r} cannot be")


def wall(page, store: Store) -> None:
    boards = page.main.all("section", "verdict")
    page.equal(len(boards), len(store.projects), "how many projects there are")
    for board in boards:
        project = board.one("p", "project").words
        branch, verdict = store.state(project)
        run = verdict.run
        page.says(board.one("h2"), told.signed(run, verdict), f"the state of {project}")
        figures, place = board.all("p")[1:3]
        page.says(figures, f"{counted(run.total, 'test')} · {percent(*verdict.lines)} of the lines", f"the figures of {project}")
        page.says(place, f"{branch} at {run.commit_id[:8]} · {told.ago(page, run)}", f"the place of {project}")
        told.moment(page, place, run, f"the state of {project}")
        if now := board.one("p", "now"):
            done = re.search(r"([\d,]+) of ([\d,]+), ([\d,]+) failed", now.words)
            left = re.search(r"About (\d+) s left: the median of the last (\d+ full runs?) is (\d+) s", now.words)
            durations = [state.run.duration for state in store.states(project)][:5]
            middle = sorted(durations)[len(durations) // 2] / 1e9
            page.equal(left and (left.group(2), int(left.group(3))), (counted(len(durations), "full run"), int(middle + 0.5)), "what a run usually takes")
            progress = store.progress
            if done is None or [f"{each['ended']:,} {each['discovered']:,} {each['failed']:,}" for each in progress] != [" ".join(done.groups())]:
                page.finding(f"{now.words!r} does not say how far the run is")
            page.explain(now.every_text())


def machines(page, store: Store) -> None:
    delivered = [run for run in store.runs if run.columns["delivery"]]
    summary = page.main.one("p", "soft")
    if not delivered:
        page.says(summary, "The machines that deliver runs to this server.", "what machines delivered")
    elif counted(len(delivered), "run") not in summary.words:
        page.finding(f"{summary.words!r}, but {len(delivered)} runs were delivered")


def project(page, store: Store) -> None:
    name = page.query["project"]
    branch, verdict = store.state(name)
    states = store.states(name, branch)[:CHARTED]
    every, run = store.of_project(name), verdict.run
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} {name}", "the heading")
    page.says(page.main.one("p", "soft"), f"{counted(len(every), 'run')}. {branch}: {told.short_verdict(run, verdict)}, "
                                          f"{told.ago(page, run)} in {run.words}", "how the project stands")
    found = told.failing(store, name, branch)
    if found:
        page.compare_rows(page.table_below(f"Failing on {branch}"), told.failing_rows(page, found, told.message), "what fails")
    running(page, store)
    newest = [store.states(name, each)[0].run for each in branches(store, name)]
    told.run_table(page, page.table_below("Branches"), newest, "the branches")
    told.run_table(page, page.table_below("Latest full runs"), [state.run for state in states[:10]], "the latest full runs")
    attempts = [run for run in every if not run.is_exact][:10]
    if attempts:
        told.run_table(page, page.table_below("Latest runs of working copies"), attempts, "the runs of working copies")
    for link in page.main.all("a"):
        if link.words == link.attributes.get("href"):
            page.explain(link.every_text())
        if link.words.startswith("All ") and "runs" in link.words:
            page.says(link, f"All {counted(len(every), 'run')}", "the link to all runs")
    charts(page, states)


def charts(page, newest_first: list) -> None:
    """Tests, duration and the lines of every module over the states of a branch, and the table below them."""
    states = newest_first[::-1]
    over, last = f"over {counted(len(states), 'run')}", states[-1].run
    told.chart(page, "Tests", f"{last.total:,} now, {over}",
               [(state.run, f"{state.run.words}: {words.outcomes(state.run.outcomes)}") for state in states if state.run.total],
               told.count_scale(max(state.run.total for state in states)))
    told.chart(page, "Duration", f"{duration(last.duration)} now, {over}",
               [(state.run, f"{state.run.words}: {duration(state.run.duration)}") for state in states],
               told.seconds_scale(max(state.run.duration for state in states) / 1e9))
    measured = {state.run.id: [module for module in state.modules if module.unmeasurable is None] for state in states}
    with_any = [state for state in states if measured[state.run.id]]
    now, first = with_any[-1], with_any[0]
    names = [module.name for module in measured[now.run.id]][:12]
    drawn = [module for state in states for module in measured[state.run.id] if module.name in names]
    scale = told.percent_scale([told.share(module.lines) for module in drawn if module.lines[1]]
                               + [float(module.floors["line"]) / 100 for module in drawn if "line" in module.floors])
    rows = []
    for name in names:
        module, before = now.module(name), first.module(name)
        floor = f", floor {told.floor_words(module.floors['line'])}" if "line" in module.floors else ""
        points = [(state.run, f"{state.run.words}: {percent(*state.module(name).lines) if state.module(name) else 'not measured'}")
                  for state in states]
        told.chart(page, name, f"{percent(*module.lines)} of lines{floor}", points, scale)
        earlier = before.lines if before else None
        rows.append([name, None, share(module.lines), share(earlier), words.points(earlier, module.lines), fall(name, with_any)])
    table = page.table_below(f"Modules over {counted(len(with_any), 'run')}")
    page.compare_rows(table, rows, "the modules")
    for section in page.main.all("h2"):
        if section.words.startswith("Modules over"):
            page.says(section, f"Modules over {counted(len(with_any), 'run')}", "the heading of the modules")
    for cells, name in zip(page.rows(table), names):
        bar(page, cells[1], now.module(name).lines, now.module(name).floors.get("line"))


def bar(page, cell, lines: tuple, floor: str | None = None) -> None:
    """Expects what is spoken of a bar of lines."""
    rule = f", floor {told.floor_words(floor)}" if floor else ""
    page.speaks(cell.one("svg"), "aria-label", f"{percent(*lines)} covered{rule}", "a bar of lines")


def fall(name: str, states: list) -> str:
    """With what a module last lost coverage, by at least a hundredth of a point."""
    having = [state for state in states[::-1] if state.module(name) and state.module(name).unmeasurable is None]
    for after, before in zip(having, having[1:]):
        points = words.points(before.module(name).lines, after.module(name).lines)
        if points.startswith("−"):
            return f"{after.run.commit_id[:8]} {points} points · {after.run.author}: {after.run.subject}"
    return "–"


def branch(page, store: Store) -> None:
    name, project = page.query["branch"], page.query["project"]
    states = store.states(project, name)[:CHARTED]
    verdict = states[0]
    run = verdict.run
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} {name}", "the heading")
    page.says(page.main.one("p", "soft"), f"{told.short_verdict(run, verdict)}, {told.ago(page, run)}: {run.words}", "how it stands")
    found = told.failing(store, project, name)
    if verdict.decision != "passed":
        if found:
            page.compare_rows(page.table_below("Failing now"), told.failing_rows(page, found, told.message), "what fails")
        passed = next((state.run for state in states if state.decision == "passed"), None)
        if passed:
            told.run_table(page, page.table_below("Latest run that passed"), [passed], "the latest run that passed")
    told.run_table(page, page.table_below("Latest full runs"), [state.run for state in states[:20]], "the latest full runs")
    if name != store.default_branch(project):
        import runs
        base = store.by_id.get((verdict.body.get("change") or {}).get("baseRun"))
        if base:
            told.run_table(page, page.table_below("What it changes"), [base, run], "what it is compared with")
            note = next(each for each in page.main.all("section") if (each.one("h2") and each.one("h2").words == "What it changes"))
            said = runs.difference_words(base, run)
            page.says(note.one("p", "note"), f"{said[:1].upper()}{said[1:]}, against {base.words}.", "what it changes")
            runs.differences(page, base, run)
        runs.change(page, verdict)


def runs(page, store: Store) -> None:
    query = page.query
    project = query.get("project")
    every = store.of_project(project) if project else list(store.runs)
    chosen = [run for run in every if
              (not query.get("branch") or run.branch == query["branch"])
              and (not query.get("verdict") or run.decision == query["verdict"])
              and (not query.get("author") or query["author"].casefold() in (run.author or "").casefold())
              and (not query.get("since") or words.exact(run.began_at)[:10] >= query["since"])
              and (not query.get("until") or words.exact(run.began_at)[:10] <= query["until"])]
    is_filtered = any(query.get(name) for name in ("branch", "verdict", "author", "since", "until"))
    table = page.main.one("table", "runs")
    shown = [row[0].href.rsplit("/", 1)[-1].split("?")[0] for row in page.rows(table)]
    listed = [store.by_id[identity] for identity in shown]
    told.run_table(page, table, listed, "the runs", showing_project=project is None and len(store.projects) > 1)
    sort, order = query.get("sort"), query.get("order")
    before = store.by_id.get(query.get("before", ""))
    if not sort:
        rest = chosen if before is None else [run for run in chosen if (run.started_at, run.id) < (before.started_at, before.id)]
        page.equal([run.id for run in listed], [run.id for run in rest[:50]], "the runs of the list")
        has_more = len(rest) > 50
    else:
        page.equal(all(run in chosen for run in listed) and len(set(shown)) == len(shown), True, "every run is one of those asked for, once")
        sorts(page, listed, sort, order)
        has_more = bool(page.main.one("a", rel="next"))
        if before is None:
            page.equal(len(listed), min(50, len(chosen)), "how many runs are listed")
    total = counted(len(every), "run")
    summary = total if not is_filtered else (
        f"{len(chosen):,} of {total}" if before is None and not has_more else f"Those that match, of {total}")
    if project is None and len(store.projects) > 1:
        summary += f" of {counted(len(store.projects), 'project')}"
    if before is not None and listed:
        summary += f", {'' if sort else 'older ones '}from {listed[0].short}"
    page.says(page.main.one("p", "soft"), summary, "how many runs there are")
    for filters in page.main.all("nav", "filters", **{"aria-label": "Projects"}):
        counts = {"All": len(store.runs)} | {name: len(store.of_project(name)) for name in store.projects.values()}
        for link in filters.all("a"):
            name = link.one("bdi").words
            page.says(link, f"{name} {counts[name]:,}", f"the number of runs of {name}")
    if page.main.one("figure", "chart"):
        points = [(run, f"{words.WORDS[run.decision]}, {percent(*run.lines) if run.lines else 'no coverage'}") for run in listed[::-1]]
        measured = [run for run in listed[::-1] if run.lines and run.lines[1]]
        passed = sum(run.decision == "passed" for run in listed)
        told.chart(page, "Lines covered", f"{percent(*measured[0].lines)} to {percent(*measured[-1].lines)}; {passed:,} of these "
                                          f"{counted(len(listed), 'run')} passed", points,
                   told.percent_scale([told.share(run.lines) for run in measured]), has_feet=True)


def sorts(page, listed: list, sort: str, order: str | None) -> None:
    """Expects runs in the order of a column; those without a figure are told last or first, and not between others."""
    keys = {"coverage": lambda run: told.share(run.lines), "duration": lambda run: run.duration, "time": lambda run: run.started_at}
    if sort in keys and order:
        figures = [keys[sort](run) for run in listed]
        known = [figure for figure in figures if figure is not None]
        page.equal(known, sorted(known, reverse=order == "desc"), f"the order by {sort}")
    elif sort == "verdict":
        kinds = [run.decision for run in listed]
        page.equal(sum(one != other for one, other in zip(kinds, kinds[1:])) < len(set(kinds)), True, "verdicts stand together")


def tagged(result, tag: str | None) -> bool:
    if tag is None:
        return True
    tags = result.description.get("tags") or ""
    return any(f'"{each}"' in tags for each in (tag, "." + tag))


def flaky(page, store: Store) -> None:
    name, tag = page.query["project"], page.query.get("tag")
    expected = {row[0].identity: row for row in flaky_tests(store, name, page.now)}
    latest = latest_results(store, name)
    table = page.main.one("table", "sheet")
    rows = page.rows(table)
    expected = {identity: row for identity, row in expected.items() if identity not in latest or tagged(latest[identity], tag)}
    for cells in rows:
        identity = next((each for each in expected if each in cells[0].words), None)
        if identity is None:
            page.finding(f"{cells[0].words!r} is listed as flaky, but does not fail and pass on one tree, nor change more than twice")
            page.explain([text for cell in cells for text in cell.every_text()])
            continue
        test, trees, flips, failures, executions, recovered, last, most = expected.pop(identity)
        page.explain(cells[0].every_text())
        for cell, text, what in zip(cells[1:], (f"{trees:,}", f"{flips:,}", f"{failures:,} of {executions:,}", f"{recovered:,}",
                                                f"run {last.short}"), ("trees", "flips", "failures", "recoveries", "the last failure")):
            page.says(cell, text, f"{identity}: {what}")
        # The page says what makes a test flaky; a reader takes it by the word.
        if not trees and most <= 2:
            page.finding(f"{identity} is listed, but it neither failed and passed on one tree nor changed more than twice on a branch: "
                         f"{most} changes at most on one, {flips} on all together")
    for identity, row in expected.items():
        page.finding(f"{identity} is not listed: it has {row[1]} trees with both outcomes, and {row[2]} flips")
    page.says(page.main.one("p", "soft"), (f"{len(rows):,}. " if rows else "") + "Failed and passed on the same tree, or changed more "
              "than twice on a branch, in the last 30 days.", "what flaky tests are")


def flaky_tests(store: Store, project: str, now: float) -> list:
    """Of every test that disagrees with itself: trees, flips, failures, executions, recoveries, last failure, flips of one branch."""
    since, tests = now * 10**9 - 30 * DAY, {}
    for run in reversed(store.of_project(project)):
        if run.started_at >= since:
            for result in run.results:
                if result.outcome in EXECUTED:
                    tests.setdefault(result.test, []).append(result)
    found = []
    for test, results in tests.items():
        trees, last, flips = {}, {}, {}
        for result in results:
            run = result.run
            if run.tree_id is None:
                trees[run.id] = {True, False} if result.is_recovered else set()
                continue
            trees.setdefault(run.tree_id, set()).update({result.is_failure} | ({True} if result.is_recovered else set()))
            if last.get(run.branch, result.is_failure) != result.is_failure:
                flips[run.branch] = flips.get(run.branch, 0) + 1
            last[run.branch] = result.is_failure
        both, all_flips = sum(len(kinds) == 2 for kinds in trees.values()), sum(flips.values())
        troubled = [result.run for result in results if result.is_failure or result.is_recovered]
        if both or all_flips > 2:
            found.append((test, both, all_flips, sum(result.is_failure for result in results), len(results),
                          sum(result.is_recovered for result in results), troubled[-1], max(flips.values(), default=0)))
    return found


def latest_results(store: Store, project: str) -> dict:
    """The results of the newest state of a project by the identity of the test."""
    states = sorted(store.states(project), key=lambda verdict: (verdict.run.started_at, verdict.run.id), reverse=True)
    return {result.test.identity: result for result in states[0].run.results} if states else {}


def slow(page, store: Store) -> None:
    name, tag = page.query["project"], page.query.get("tag")
    newest = sorted(store.states(name), key=lambda verdict: (verdict.run.started_at, verdict.run.id), reverse=True)[:100]
    timed = [result for result in newest[0].run.results if result.duration is not None and tagged(result, tag)]
    slowest = sorted(timed, key=lambda result: (-result.duration, result.test.key))[:50]
    histories = {result.test: sorted(each.duration for state in newest for each in state.run.results
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
        page.speaks(cells[1].one("svg"), "aria-label", rows[identity][2].removesuffix(" more than twice the median"), f"{identity}: its bar")
    page.says(page.main.one("p", "soft"), f"{len(rows):,}. From the latest full run; the median is of the last "
                                          f"{counted(100, 'such run')}.", "what slow tests are")
    # "The last 100 such runs" must be as many as there are.
    if len(newest) < 100:
        page.finding(f"the median is said to be of the last 100 such runs, but there are {len(newest)}")


def selection(page, store: Store) -> None:
    name = page.query["project"]
    trials = store.all("SELECT selection_trial.*, run.identity FROM selection_trial JOIN run ON run.id = run JOIN project ON project.id = "
                       "run.project WHERE project.name = ? ORDER BY started_at DESC, identity DESC LIMIT 200", name.encode())
    would = {True: "green, and tests failed", False: "tests failed, as before"}
    page.compare_rows(page.main.one("table", "sheet"), [
        [f"run {trial['identity'][-12:]} by run {trial['base'][-12:]}", f"{trial['tests']:,}", f"{trial['spared']:,}",
         duration(trial["spared_time"]), f"{trial['failures']:,}", f"{trial['missed']:,}",
         "no test failed, as before" if not trial["failures"] else would[trial["missed"] == trial["failures"]]] for trial in trials],
        "the trials")
    summary = page.main.one("p", "soft")
    if not trials:
        return
    tests, spared = sum(trial["tests"] for trial in trials), sum(trial["spared"] for trial in trials)
    time, spared_time = sum(trial["time"] for trial in trials), sum(trial["spared_time"] for trial in trials)
    red = [trial for trial in trials if trial["failures"]]
    missed = sum(trial["missed"] == trial["failures"] for trial in red)
    # Percentages are rounded down everywhere, so that 100 % means all.
    rest = f"{missed} of {len(red)} that were red for a new reason would have been green" if red else "none was red for a new reason"
    page.says(summary, f"In {counted(len(trials), 'run')}, {percent(spared, tests)} of the tests and {spared_time * 100 // time} % of their time "
                       f"would have been left out; {rest}.", "what a selection would save")


def known_issues(page, store: Store) -> None:
    verdict = store.state(page.query["project"])[1]
    results = [result for result in verdict.run.results if result.outcome == "known issue" and tagged(result, page.query.get("tag"))]
    rows = page.rows(page.main.one("table", "sheet"))
    page.equal(len(rows), len(results), "how many tests have a known issue")
    page.says(page.main.one("p", "soft"), (f"{len(results):,}. " if results else "") + f"As it stood in {verdict.run.words}", "what is known")
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
    if waivers:
        page.compare_rows(page.table_below("Waivers in force"), [
            [None, waiver["reason"], left(page, waiver["until"]), waiver["commit"][:12]] for waiver in waivers], "the waivers")
    if body["quarantine"]:
        rows = []
        for status in body["quarantine"]:
            outcome = status["outcome"].replace("-", " ")
            rows.append([f"{words.OUTCOME_SIGNS[outcome]} {outcome}", status["entry"]["test"], status["entry"]["owner"],
                         left(page, status["entry"]["expires"]), status["entry"]["reason"]])
        page.compare_rows(page.table_below("Tests in quarantine"), rows, "the quarantine")
    off = run.manifest.get("selection", {}).get("disabledTargets", [])
    if off:
        page.compare_rows(page.table_below("Test targets that are switched off"), [
            [target, *next(([waiver["reason"], left(page, waiver["until"])] for waiver in waivers if waiver["subject"] == target), [None, None])]
            for target in off], "the targets that are switched off")


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
    commits = [cells[2].words for cells in rows]
    for commit in sorted({each for each in commits if commits.count(each) > 1}):
        page.finding(f"the commit {commit} is listed {commits.count(commit)} times, and counted as often")
    branch = found.group(3).removeprefix("origin/")
    known = {verdict.run.commit_id for verdict in store.states(page.query["project"], branch)}
    if int(found.group(2)) > len(known) + sum(cells[0].words.endswith("No verdict") for cells in rows):
        page.finding(f"{found.group(2)} commits were looked at, but the branch has runs of {len(known)} commits")
    if (remedy := page.main.one("div", "plain")) and remedy.one("p"):
        page.says(remedy.one("p"), f"The trees of the last {counted(int(found.group(2)), 'commit')} of {found.group(3)} have passed.", "what passed")
    for cells in rows:
        page.explain([text for cell in cells for text in cell.every_text()])
        run = cells[0].href and store.by_id.get(cells[0].href.rsplit("/", 1)[-1])
        if run:
            page.says(cells[1], run.subject, f"the subject of {cells[2].words}")
            page.says(cells[0], f"{words.SIGNS[run.decision]} {words.WORDS[run.decision]}", f"the verdict on {cells[2].words}")
            passed = [each for each in store.of_project(run.project) if each.tree_id == run.tree_id and each.decision == "passed"
                      and not each.is_partial and each.started_at >= run.started_at]
            if passed:
                page.finding(f"{cells[2].words} is unverified, but run {passed[0].short} of its tree passed")


def search(page, store: Store) -> None:
    sections = page.main.all("section")
    rows = sum(len(page.rows(section.one("table"))) for section in sections if section.one("table"))
    summary = page.main.one("p", "soft")
    page.says(summary, counted(rows, "match", "matches") + (", more than are listed." if "more than" in summary.words else "."), "how many matches")
    page.explain(page.main.one("h1").every_text())
    table = page.table_below("Runs")
    if table:
        listed = [store.by_id[row[0].href.rsplit("/", 1)[-1].split("?")[0]] for row in page.rows(table)]
        told.run_table(page, table, listed, "the runs that match", showing_project=True)
    text = page.query.get("q", "").casefold()
    if table := page.table_below("Tests"):
        matching = [test for test in store.tests.values() if text in test.identity.casefold()]
        if len(page.rows(table)) < 100 and len(page.rows(table)) < len(matching):
            page.finding(f"{len(page.rows(table))} tests match, but by the store {len(matching)}")
    for section in sections:
        for cells in page.rows(section.one("table")) if section.one("table") else []:
            for cell in cells:
                # Names of the store, shown whole; those of tests have their identity below.
                if any(each in cell.words for each in (test.identity for test in store.tests.values())):
                    page.explain(cell.every_text())


def test(page, store: Store) -> None:
    name, key = page.query["project"], tuple(page.query.get(part, "") for part in ("module", "suite", "name"))
    runs = [run for run in store.of_project(name) if run.total]
    history = [result for run in runs if (result := next(
        (each for each in run.results if (each.test.module, each.test.suite, each.test.name) == key), None))][:200]
    exact = [result for result in history if result.run.is_exact]
    executed = [result for result in exact if result.outcome in EXECUTED]
    failures = sum(result.is_failure for result in executed)
    last, flips = {}, 0
    for result in reversed(executed):
        flips += last.get(result.run.branch, result.is_failure) != result.is_failure
        last[result.run.branch] = result.is_failure
    recovered = sum(result.is_recovered for result in executed)
    times = sorted(result.duration for result in exact if result.duration is not None)
    latest, tiles = exact[0], page.main.all("div", "tile")
    label = latest.outcome[:1].upper() + latest.outcome[1:]
    median = duration(times[(len(times) - 1) // 2]) if times else "–"
    page.says(tiles[0], f"Latest run {label} {latest.run.branch}", "the latest run")
    page.says(tiles[1], f"Failed {failures:,} of {counted(len(executed), 'execution')} "
                        + (f"{recovered:,} passed after a retry" if recovered else "no retry was needed"), "how often it failed")
    page.speaks(tiles[1].one("svg"), "aria-label", f"{len(executed) - failures} passed, {failures} failed", "the bar of failures")
    page.says(tiles[2], f"Flips {flips:,} {'change' if flips == 1 else 'changes'} of outcome from one run of a branch to the next", "the flips")
    page.says(tiles[3], f"Time {median} median " + (f"longest {duration(times[-1])}" if times else "no duration is recorded"), "its time")
    place = {result.run.id: f"{result.run.branch} at {result.run.commit_id[:8]}" for result in exact}
    def ended(result) -> str:
        return f"{result.outcome} in {counted(len(result.attempts), 'attempt')}" if len(result.attempts) > 1 else result.outcome
    told.chart(page, "Outcomes", f"the last {counted(len(exact), 'run')}, newest right",
               [(result.run, f"{place[result.run.id]}: {ended(result)}") for result in exact[::-1]], None)
    if len(times) > 1:
        told.chart(page, "Time", f"dashed: the median, {median}",
                   [(result.run, f"{place[result.run.id]}: {duration(result.duration)}") for result in exact[::-1] if result.duration is not None],
                   told.seconds_scale(times[-1] / 1e9))
    rows = [[f"{words.OUTCOME_SIGNS[result.outcome]} {result.outcome}",
             " ".join(part for part in (result.run.commit_id[:8] if result.run.commit_id else f"run {result.run.short}", told.message(result)) if part),
             result.run.branch if result.run.is_exact else "working copy", f"{len(result.attempts):,}",
             duration(result.duration) if result.duration is not None else "–", None] for result in history[:50]]
    table = page.table_below("History")
    page.compare_rows(table, rows, "the history")
    for cells, result in zip(page.rows(table), history):
        told.moment(page, cells[-1], result.run, f"the history, run {result.run.short}")
    branch = store.default_branch(name)
    found = next((each for each in told.failing(store, name, branch) if each[0].test is latest.test), None)
    if table := page.table_below("Failing since"):
        page.compare_rows(table, [[told.since_cell(page, found[1]), told.since_cell(page, found[2])]] if found else [], "since when it fails")
    elif found:
        page.finding("it fails on the default branch, but the page does not say since when")
    if table := page.table_below("Runs up to its first failure"):
        listed = [store.by_id[row[0].href.rsplit("/", 1)[-1].split("?")[0]] for row in page.rows(table)]
        told.run_table(page, table, listed, "the runs up to its first failure")
    maps(page, store, latest.test, name)


def maps(page, store: Store, test, project: str) -> None:
    """What the test executes, from the newest test map, and what it attached."""
    import testmap
    if page.table_below("Executes"):
        run, files = testmap.executed(store, project, test)
        section = next(each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == "Executes")
        page.says(section.one("p", "note"), f"{counted(sum(len(lines) for _, _, lines in files), 'line')} in {counted(len(files), 'file')}, "
                                            f"in run {run.short}.", "what it executes")
        page.compare_rows(page.table_below("Executes"), [[path, f"{functions:,}", f"{len(lines):,}", ", ".join(
            words.lines(*each) for each in testmap.spans(lines))] for path, functions, lines in files], "the files that it executes")
    if table := page.table_below("Attachments"):
        attached = store.all("SELECT attachment.*, run.identity FROM attachment JOIN run ON run.id = run WHERE test = ? "
                             "ORDER BY started_at DESC, identity DESC, position LIMIT 50", test.row)
        rows = page.rows(table)
        page.equal(len(rows), len(attached), "how many files are attached")
        for cells, row in zip(rows, attached):
            run = store.by_id[row["identity"]]
            for cell, text in zip(cells, (row["name"], run.commit_id[:8], words.size(row["bytes"]))):
                page.says(cell, text, "an attachment")
            time = cells[3].one("time")
            page.says(time, words.exact(run.began_at), "when the file was attached")
