"""Pages of many runs: the list of runs, the search, and the history of a test."""

import collections

import flakes
import testmap
import told
import words
from entries import EXECUTED
from page import plain
from stored import Store
from words import counted, duration, percent


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
        page.equal(all(run in chosen for run in listed) and len(set(shown)) == len(shown), True,
                   "every run is one of those asked for, once")
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


def search(page, store: Store) -> None:
    sections = page.main.all("section")
    rows = sum(len(page.rows(section.one("table"))) for section in sections if section.one("table"))
    summary = page.main.one("p", "soft")
    page.says(summary, counted(rows, "match", "matches") + (", more than are listed." if "more than" in summary.words else "."),
              "how many matches")
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
    last, flipped = {}, collections.Counter()
    for result in reversed(executed):
        flipped[result.run.branch] += last.get(result.run.branch, result.is_failure) != result.is_failure
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
    # On the branch where it flips most.
    flips = max(flipped.values(), default=0)
    page.says(tiles[2], f"Flips {flips:,} {'change' if flips == 1 else 'changes'} of outcome from one run of a branch to the next",
              "the flips")
    page.says(tiles[3], f"Time {median} median " + (f"longest {duration(times[-1])}" if times else "no duration is recorded"), "its time")
    place = {result.run.id: f"{result.run.branch} at {result.run.commit_id[:8]}" for result in exact}
    def ended(result) -> str:
        return f"{result.outcome} in {counted(len(result.attempts), 'attempt')}" if len(result.attempts) > 1 else result.outcome
    told.chart(page, "Outcomes", f"the last {counted(len(exact), 'run')}, newest right",
               [(result.run, f"{place[result.run.id]}: {ended(result)}") for result in exact[::-1]], None)
    if len(times) > 1:
        told.chart(page, "Time", f"dashed: the median, {median}",
                   [(result.run, f"{place[result.run.id]}: {duration(result.duration)}") for result in exact[::-1]
                    if result.duration is not None],
                   told.seconds_scale(times[-1] / 1e9))
    rows = [[f"{words.OUTCOME_SIGNS[result.outcome]} {result.outcome}",
             " ".join(part for part in (result.run.commit_id[:8] if result.run.commit_id else f"run {result.run.short}",
                                        told.message(result)) if part),
             result.run.branch if result.run.is_exact else "working copy", f"{len(result.attempts):,}",
             duration(result.duration) if result.duration is not None else "–", None] for result in newest_of(history)]
    table = page.table_below("History")
    page.compare_rows(table, rows, "the history")
    for cells, result in zip(page.rows(table), newest_of(history)):
        told.moment(page, cells[-1], result.run, f"the history, run {result.run.short}")
    branch = store.default_branch(name)
    found = next((each for each in told.failing(store, name, branch) if each[0].test is latest.test), None)
    if table := page.table_below("Failing since"):
        page.compare_rows(table, [[told.since_cell(page, found[1]), told.since_cell(page, found[2])]] if found else [],
                          "since when it fails")
        broken_by(page, told.broken_by(*found) if found else None)
    elif found:
        page.finding("it fails on the default branch, but the page does not say since when")
    if table := page.table_below("Runs up to its first failure"):
        listed = [store.by_id[row[0].href.rsplit("/", 1)[-1].split("?")[0]] for row in page.rows(table)]
        told.run_table(page, table, listed, "the runs up to its first failure")
    flakes.test(page, store, name, latest.test)
    maps(page, store, latest.test, name)


def broken_by(page, culprit: dict | None) -> None:
    """The commit that broke the test, and how that was found."""
    table = page.table_below("Broken by")
    page.equal(table is not None, culprit is not None, "whether it is known what broke it")
    if table is None or culprit is None:
        return
    section = next(each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == "Broken by")
    took = culprit["duration"]
    nanoseconds = (took[0] * 2 ** 64 + took[1]) // 10 ** 9 if isinstance(took, list) else took
    page.says(section.one("p", "note"), f"With a probability of {told.percentage(culprit)}, by {counted(culprit['runs'], 'run')} of "
              f"{counted(culprit['builds'], 'commit')} in {duration(nanoseconds)}.", "how it was found")
    commit = culprit["suspects"][0]
    for text in (commit["subject"], commit["author"]):
        if plain(text) not in table.words:
            page.finding(f"what broke it, {table.words!r}, does not say {text!r}")
    page.explain(table.every_text())


def newest_of(history: list) -> list:
    """The newest 50; of working copies ten where there are enough others."""
    exact = [result for result in history if result.run.is_exact]
    others = [result for result in history if not result.run.is_exact]
    wanted = {id(result) for result in exact[:max(40, 50 - len(others))] + others[:max(10, 50 - len(exact))]}
    return [result for result in history if id(result) in wanted]


def maps(page, store: Store, test, project: str) -> None:
    """What the test executes, from the newest per-test coverage, and what it attached."""
    if page.table_below("Executes"):
        run, files = testmap.executed(store, project, test)
        section = next(each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == "Executes")
        page.says(section.one("p", "note"), f"{counted(sum(len(lines) for _, _, lines in files), 'line')} in "
                                            f"{counted(len(files), 'file')}, "
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
