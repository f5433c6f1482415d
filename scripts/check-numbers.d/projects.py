"""Pages of projects, branches and machines: how they stand."""

import flakes
import live
import told
import watched
import why
import words
from page import plain
from run_changes import change, difference_words, differences
from stored import Store
from words import counted, duration, percent, share

CHARTED = 100


def home(page, store: Store) -> None:
    projects = list(store.projects.values())
    states = {project: store.state(project) for project in projects}
    decisions = {project: state[1].decision if state[1] else None for project, state in states.items()}
    # What is undecided is not failing, and what failed is not undecided.
    failing = sum(decision == "failed" for decision in decisions.values())
    undecided = sum(decision == "undecided" for decision in decisions.values())
    summary = page.main.one("p", "soft")
    of_all, text = counted(len(projects), "project"), "The default branch of every project passes."
    if failing:
        text = f"{failing:,} of {of_all} {stand(failing, 'failing')}" + (
            f"; {undecided:,} {'is' if undecided == 1 else 'are'} undecided." if undecided else ".")
    elif undecided:
        text = f"{undecided:,} of {of_all} {stand(undecided, 'undecided')}, and none is failing."
    page.says(summary, text, "how many projects fail")
    ranked = shown(page, store)
    rows, latest = [], [states[project][1] for project in ranked]
    for project, verdict in zip(ranked, latest):
        hidden = flakes.window(store, project, page.now)[2]
        rows.append([told.signed(verdict.run, verdict), f"{project} {verdict.run.subject}", states[project][0] or "any",
                     share(verdict.lines),
                     f"{len(store.of_project(project)):,}" + (f" {hidden:,} green by a retry" if hidden else ""), None])
    table = page.table_below(None)
    page.compare_rows(table, rows, "the projects")
    for cells, verdict in zip(page.rows(table), latest):
        told.moment(page, cells[-1], verdict.run, f"the project {verdict.run.project}")
        told.leads(page, cells[0], verdict.run, f"the project {verdict.run.project}")
    flakes.watched(page, store, [project for project in projects if project in ranked], watched.left, shows_project=True)
    found = [(project, *each) for project in projects if project in ranked for each in told.failing(store, project, states[project][0])]
    if found:
        page.compare_rows(page.table_below("Failing on default branches"),
                          [told.failing_rows(page, [each], lambda result: project)[0] for project, *each in found], "what fails")
    changes = sorted((store.states(project, branch)[0] for project in projects for branch in branches(store, project)
                      if branch != states[project][0]), key=lambda verdict: verdict.row["judged_at"], reverse=True)[:10]
    table = page.table_below("Latest changes")
    page.compare_rows(table, [[told.signed(change.run, change), f"{change.run.branch} {change.run.project}", change.run.author,
                               share(change.lines), None] for change in changes], "the latest changes")
    for cells, change in zip(page.rows(table), changes):
        told.moment(page, cells[-1], change.run, f"the branch {change.run.branch}")
        told.leads(page, cells[0], change.run, f"the branch {change.run.branch}")
    live.table(page, store, store.live, shows_project=True)


def shown(page, store: Store) -> list:
    """The projects that the first page lists, in its order: those with one verdict, or all, and what fails first."""
    states = {project: store.state(project)[1] for project in store.projects.values()}
    gravities = ["passed", None, "undecided", "failed"]
    kept = page.query.get("verdict")
    projects = [project for project, verdict in states.items() if not kept or (verdict.decision if verdict else "none") == kept]
    by_gravity = sorted(projects, reverse=True, key=lambda project: gravities.index(states[project] and states[project].decision))
    if not page.query.get("sort"):
        return by_gravity
    return page.listed(projects, {
        "verdict": lambda project: gravities.index(states[project] and states[project].decision),
        "name": lambda project: project.encode(), "coverage": lambda project: told.share(states[project].lines),
        "runs": lambda project: len(store.of_project(project)), "time": lambda project: states[project].run.began_at})


def stand(number: int, word: str) -> str:
    """How some projects stand: `is failing on its default branch`."""
    return f"{'is' if number == 1 else 'are'} {word} on {'its' if number == 1 else 'their'} default branch"


def branches(store: Store, project: str) -> list:
    """The branches of a project with a state, those with the newest first."""
    names = {verdict.run.branch for verdict in store.states(project)}
    return sorted(names, key=lambda name: store.states(project, name)[0].row["judged_at"], reverse=True)


def wall(page, store: Store) -> None:
    boards = page.main.all("section", "verdict")
    page.equal(len(boards), len(store.projects), "how many projects there are")
    for board in boards:
        project = board.one("p", "project").words
        branch, verdict = store.state(project)
        run = verdict.run
        page.says(board.one("h2"), told.signed(run, verdict), f"the state of {project}")
        told.leads(page, board.one("h2"), run, f"the state of {project}")
        figures, place = board.all("p")[1:3]
        page.says(figures, f"{counted(run.total, 'test')} · {percent(*verdict.lines)} of the lines", f"the figures of {project}")
        page.says(place, f"{branch} at {run.commit_id[:8]} · {told.ago(page, run)}", f"the place of {project}")
        told.moment(page, place, run, f"the state of {project}")
        own = [each for each in store.live if each.project == project]
        now = board.one("p", "now")
        page.equal(now is not None, bool(own), f"whether a run of {project} is said to be in progress")
        if own:
            page.says(now, f"▸ {own[0].headline}. {live.prospect(page, store, own[0])}", f"the run of {project} in progress")


def machines(page, store: Store) -> None:
    delivered = [run for run in store.runs if run.columns["delivery"]]
    summary = page.main.one("p", "soft")
    if not delivered:
        page.says(summary, "The machines that deliver runs to this server.", "what machines delivered")
    elif counted(len(delivered), "run") not in summary.words:
        page.finding(f"{summary.words!r}, but {len(delivered)} runs were delivered")
    # A row is a host name with a token, and the heading counts the host names.
    rows = [cells for cells in page.rows(page.table_below(None)) if " token " in cells[0].words]
    names = [cells[0].words for cells in rows]
    page.equal(len(set(names)), len(names), "the host names with their tokens, each once")
    hosts = {name.rpartition(" token ")[0] for name in names}
    if hosts and not summary.words.startswith(f"{counted(len(hosts), 'machine')} delivered "):
        page.finding(f"{summary.words!r}, but {counted(len(hosts), 'machine')} are listed")


def project(page, store: Store) -> None:
    name = page.query["project"]
    branch, verdict = store.state(name)
    states = store.states(name, branch)[:CHARTED]
    every, run = store.of_project(name), verdict.run
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} {name}", "the heading")
    page.says(page.main.one("p", "soft"), f"{counted(len(every), 'run')}. {branch}: {told.short_verdict(run, verdict)}, "
                                          f"{told.ago(page, run)} in {run.words}", "how the project stands")
    told.leads(page, page.main.one("p", "soft"), run, "how the project stands")
    found = told.failing(store, name, branch)
    if found:
        page.compare_rows(page.table_below(f"Failing on {branch}"), told.failing_rows(page, found, told.message), "what fails")
    live.table(page, store, [each for each in store.live if each.project == name], shows_project=False)
    flakes.watched(page, store, [name], watched.left, shows_project=False)
    flakes.hidden(page, store, name)
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


def blocked(page, verdict) -> None:
    """Why a change is blocked, and of a change whose tests failed, whose failures these are."""
    violations, table = verdict.body["violations"], page.table_below("What the gate says")
    rows = page.rows(table)
    page.equal(len(rows), min(200, len(violations)), "how many reasons the gate has")
    for cells, violation in zip(rows, violations):
        if plain(violation["reason"])[:200] not in cells[0].words:
            page.finding(f"the reason {cells[0].words[:80]!r} does not say {violation['reason'][:80]!r}")
        page.explain(cells[0].every_text())
    if len(why.causes(verdict.run)) > 1 and verdict.decision == "failed":
        section = next(each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == "What the gate says")
        page.says(section.one("p", "note"), why.in_short(verdict.run), "whose failures these are")


def branch(page, store: Store) -> None:
    name, project = page.query["branch"], page.query["project"]
    states = store.states(project, name)[:CHARTED]
    verdict = states[0]
    run = verdict.run
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} {name}", "the heading")
    page.says(page.main.one("p", "soft"), f"{told.short_verdict(run, verdict)}, {told.ago(page, run)}: {run.words}", "how it stands")
    told.leads(page, page.main.one("p", "soft"), run, "how it stands")
    found = told.failing(store, project, name)
    if verdict.decision != "passed":
        if found:
            page.compare_rows(page.table_below("Failing now"), told.failing_rows(page, found, told.message), "what fails")
        passed = next((state.run for state in states if state.decision == "passed"), None)
        if passed:
            told.run_table(page, page.table_below("Latest run that passed"), [passed], "the latest run that passed")
    told.run_table(page, page.table_below("Latest full runs"), [state.run for state in states[:20]], "the latest full runs")
    if name != store.default_branch(project):
        base = store.by_id.get((verdict.body.get("change") or {}).get("baseRun"))
        if base:
            told.run_table(page, page.table_below("What it changes"), [base, run], "what it is compared with")
            note = next(each for each in page.main.all("section") if (each.one("h2") and each.one("h2").words == "What it changes"))
            said = difference_words(base, run)
            page.says(note.one("p", "note"), f"{said[:1].upper()}{said[1:]}, against {base.words}.", "what it changes")
            blocked(page, verdict)
            differences(page, base, run)
        change(page, verdict)
