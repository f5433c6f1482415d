"""Answers for programs: the data of pages, the badge, the feed, the metrics."""

import json
import re

import flakes
import live
import projects
import told
import watched
import words
from entries import METRICS
from stored import Run, Store

# Pages whose data is compared.
TWINS = {"/", "/project", "/branch", "/runs", "/flaky", "/slow", "/run", "/compare"}
NAMES = {"timed out": "timed-out", "known issue": "known-issue", "not run": "not-run"}
BADGES = {"passed": "✓ passed", "failed": "✕ blocked", "undecided": "? undecided"}


def badge_words(store: Store, project: str) -> str:
    verdict = store.state(project)[1]
    return BADGES[verdict.decision] + (f", {words.percent(*verdict.lines)}" if verdict.lines else "")


def badge(page, store: Store) -> None:
    expected = badge_words(store, page.query["project"])
    page.speaks(page.root.one("svg"), "aria-label", f"kanmon: {expected}", "what the badge says")
    page.says(page.root.one("title"), f"kanmon: {expected}", "the title of the badge")
    page.says(page.root.all("text")[-1], expected, "the text of the badge")


def feed(page, store: Store) -> None:
    project = page.query["project"]
    found = told.failing(store, project, store.default_branch(project))
    endings = flakes.ending(store, project, page.now)
    entries = page.root.all("entry")
    page.equal(len(entries), len(found) + len(endings), "how many tests fail, and how many entries of the quarantine end soon")
    for entry, (result, first, _) in zip(entries, found):
        title = f"{result.test.identity} “{result.title}”" if result.title else result.test.identity
        page.says(entry.one("title"), f"{title} fails since {first.commit_id[:8]}", "the title of an entry")
        page.says(entry.one("summary"), f"{first.commit_id[:8]}: {first.subject}", "the summary of an entry")
    for entry, ending in zip(entries[len(found):], endings):
        page.says(entry.one("title"), f"the quarantine of {ending['test']} ends on {ending['expires']}", "the title of an entry")
        page.says(entry.one("summary"), f"{ending['owner']}: {ending['reason']}", "the summary of an entry")
        page.explain(entry.one("updated").every_text())
    begun = {words.exact(run.began_at).replace(" UTC", "Z").replace(" ", "T") for run in store.runs}
    for element in page.root.all():
        if element.tag == "updated" and element.words in begun or element.tag in ("id", "author"):
            page.explain(element.every_text())


def metrics(page, store: Store) -> None:
    expected = {}
    for project in store.projects.values():
        verdict = store.state(project)[1]
        expected |= {f'kanmon_runs{{project="{project}"}}': len(store.of_project(project)),
                     f'kanmon_passed{{project="{project}"}}': int(verdict.decision == "passed" and not verdict.body.get("allowedFailures")),
                     f'kanmon_lines_covered{{project="{project}"}}': verdict.lines[0],
                     f'kanmon_lines{{project="{project}"}}': verdict.lines[1],
                     f'kanmon_quarantine_ending{{project="{project}"}}': len(flakes.ending(store, project, page.now)),
                     f'kanmon_green_by_retry{{project="{project}"}}': flakes.window(store, project, page.now)[2]}
    found = dict(line.rsplit(" ", 1) for line in page.body.splitlines() if line and not line.startswith("#"))
    for name, value in expected.items():
        page.equal(found.get(name), str(value), name)
    if share := found.get("kanmon_disk_free_share"):
        free, size = (float(found.get(name, "nan")) for name in ("kanmon_disk_free_bytes", "kanmon_disk_bytes"))
        page.equal(abs(float(share) - free / size) < 0.01, True, f"kanmon_disk_free_share {share} of {free:.0f} of {size:.0f} bytes")
    for name in found:
        if name.startswith("kanmon_runs_waiting{") and not ("machine=" in name and "token=" in name):
            page.finding(f"{name} does not tell the machine and its token")
        # Nothing was delivered to the server of the demo, and no answer was refused.
        if "project=" not in name and "_disk_" not in name:
            page.equal(found[name], "0", name)
        elif "project=" in name and name not in expected:
            page.finding(f"unexplained: {name}")


def summary(page, found: dict, run: Run, what: str) -> None:
    """Expects what data says of a run."""
    outcomes = {NAMES.get(kind, kind): number for kind, number in run.outcomes.items()}
    page.equal(found.get("outcomes"), outcomes, f"{what}: the outcomes of run {run.short}")
    lines = {"covered": run.lines[0], "total": run.lines[1]} if run.lines else None
    page.equal(found.get("lines"), lines, f"{what}: the lines of run {run.short}")
    for name, value in (("decision", run.decision), ("exitStatus", run.status), ("isExact", run.is_exact), ("isPartial", run.is_partial),
                        ("branch", run.branch), ("commit", run.commit_id)):
        page.equal(found.get(name), value, f"{what}: {name} of run {run.short}")
    page.equal(found.get("durationNanoseconds"), run.duration, f"{what}: the duration of run {run.short}")


def summaries(page, value, store: Store, what: str = "data") -> None:
    """Finds every run in some data."""
    if isinstance(value, dict):
        if "outcomes" in value and value.get("id") in store.by_id:
            summary(page, value, store.told(value["id"], value.get("commit")), what)
        for name, each in value.items():
            summaries(page, each, store, f"{what}.{name}")
    elif isinstance(value, list):
        for each in value:
            summaries(page, each, store, what)


def data(page, store: Store) -> None:
    answer = json.loads(page.body)
    kind = page.path.removesuffix(".json")
    project = page.query.get("project")
    content = answer.get("data")
    summaries(page, answer, store)
    if kind == "/index":
        page.equal([(each["name"], each["runs"]) for each in content],
                   [(name, len(store.of_project(name))) for name in projects.shown(page, store)], "the numbers of runs")
        for each in content:
            branch, verdict = store.state(each["name"])
            page.equal(each["latest"]["id"], verdict.run.id, f"the latest run of {each['name']}")
            page.equal([(one["since"]["id"], (one.get("lastPassed") or {}).get("id")) for one in each["regressions"]],
                       [(first.id, passed and passed.id) for _, first, passed in told.failing(store, each["name"], branch)],
                       f"the regressions of {each['name']}")
            watched_state(page, each, store)
    elif kind == "/branch":
        page.equal([each["test"]["name"] for each in content["failing"]],
                   [result.test.name for result, _, _ in told.failing(store, project, page.query["branch"])], "what fails")
    elif kind == "/flaky":
        found = {(each["test"]["module"], each["test"].get("suite", ""), each["test"]["name"]):
                 tuple(each[name] for name in ("disagreements", "flips", "failures", "executions", "recoveries")) for each in content}
        figures = {(test.module, test.suite, test.name): each for test, each in flakes.figures(store, project, page.now).items()}
        flaky = {(test.module, test.suite, test.name): tuple(row) for test, *row, _ in watched.flaky_tests(store, project, page.now)}
        kinds = {key: "broken" if figures[key][0] else "flaky" for key in flaky}
        expected = {key: row for key, row in flaky.items() if ("tag" not in page.query or key in found)
                    and page.query.get("kind", kinds[key]) == kinds[key]}
        page.equal(found, expected, "the flaky tests")
        for each in content:
            broken, (failures, count) = figures[each["test"]["module"], each["test"].get("suite", ""), each["test"]["name"]]
            page.equal((each["kind"], each.get("brokenSince")), ("broken", broken[0].id) if broken else ("flaky", None), "what it is")
            rate, bounds = each["rate"], flakes.wilson(failures, count)
            page.equal((rate["failures"], rate["executions"]), (failures, count), "how often it fails")
            page.equal([round(rate[name], 9) for name in ("lower", "upper")], [round(bound, 9) for bound in bounds], "its interval")
        page.equal([answer["window"][name] for name in ("days", "runs", "greenRuns", "hiddenFlakes")],
                   [30, *flakes.window(store, project, page.now)], "the runs that were looked at")
    elif kind == "/project":
        watched_state(page, content["project"], store)
        measured = {(state.run.id, module.name): module.lines
                    for state in store.states(project, store.default_branch(project))[:projects.CHARTED]
                    for module in state.modules if module.unmeasurable is None}
        page.equal({(each["run"], each["module"]): (each["lines"]["covered"], each["lines"]["total"]) for each in content["modules"]},
                   measured, "the lines of the modules")
    elif kind.endswith("/live"):
        page.equal(content, next(live.answer(page, store, run) for run in store.live if run.address == kind), "the run in progress")
    elif re.fullmatch(r"/runs/[0-9a-f-]{36}", kind):
        report(page, answer, store)


def watched_state(page, state: dict, store: Store) -> None:
    """What of a project nobody must overlook: a quarantine that ends soon, what a retry hid, and what is in progress."""
    name = state["name"]
    page.equal(state["running"], [live.answer(page, store, run) for run in store.live if run.project == name],
               f"what of {name} is in progress")
    page.equal(state["hiddenFlakes"], flakes.window(store, name, page.now)[2], f"the green runs by a retry of {name}")
    page.equal([(each["test"], each["expires"]) for each in state["expiring"]],
               [(entry["test"], entry["expires"]) for entry in flakes.ending(store, name, page.now)], f"what ends soon in {name}")


def report(page, answer: dict, store: Store) -> None:
    """The report of a run: every test, module and file of it."""
    run = store.told(page.path.split("/")[2].removesuffix(".json"), page.query.get("commit"))
    names = {(result.test.module, result.test.suite, result.test.name, result.test.discriminator): result for result in run.results}
    page.equal(len(answer["tests"]), len(names), "how many tests it has")
    for test in answer["tests"]:
        result = names.get((test["module"], test.get("suite", ""), test["name"], test.get("discriminator", "")))
        if result is None:
            page.finding(f"{test['name']} is no test of the run")
            continue
        page.equal((test["outcome"], test.get("durationNanoseconds"), test["attempts"]),
                   (NAMES.get(result.outcome, result.outcome), result.duration, len(result.attempts)), result.test.identity)
        stored = result.description
        page.equal(place(test.get("location")), columns_of(stored | {"path": store.text(stored.get("path"))}),
                   f"where {result.test.identity} is")
        page.equal([(each["message"], place(each.get("location"))) for each in test["issues"]],
                   [(each["message"], columns_of(each)) for each in result.issues], f"what {result.test.identity} said")
    failures(page, answer, run)
    counts = {"".join(part.capitalize() if place else part for place, part in enumerate(kind.split())): number
              for kind, number in run.outcomes.items()} | {"total": run.total}
    page.equal(answer["outcomes"], counts, "the outcomes")
    for module in answer["modules"]:
        stored = run.verdict.module(module["name"])
        if "lines" in module and stored:
            page.equal(tallies(module), stored.tallies, f"the lines, regions and functions of {module['name']}")
    files = {file.path: {"line": file.tally, "region": file.regions, "function": file.functions} for file in run.files}
    for file in answer.get("files", []):
        if "lines" in file:
            page.equal(tallies(file), files.get(file["path"]), f"the lines, regions and functions of {file['path']}")


def tallies(measured: dict) -> dict:
    """What of a module or a file is covered, by its metrics."""
    return {metric: (measured[f"{metric}s"]["covered"], measured[f"{metric}s"]["total"]) for metric in METRICS}


def place(location: dict | None) -> tuple | None:
    return location and (location["path"], location["line"], location.get("column"))


def columns_of(row: dict) -> tuple | None:
    """The place that a row of the store has."""
    return (row["path"], row["line"], row["utf8_column"]) if row.get("path") else None


def failures(page, answer: dict, run: Run) -> None:
    """What a report says of its failures and its violated rules: their first messages, and the lines to cover."""
    failed = {result.test.identity: next(each for each in result.issues if not each["is_known"] and not each["is_warning"])
              for result in run.results if result.is_failure and result.issues}
    for each in answer["failures"]:
        identity = f"{each['module']}.{each['suite']}/{each['name']}" if each.get("suite") else f"{each['module']}.{each['name']}"
        if identity in failed:
            page.equal((each["message"], place(each.get("location"))), (failed[identity]["message"], columns_of(failed[identity])),
                       f"where {identity} failed")
    for each, violation in zip(answer["violations"], run.verdict.body["violations"], strict=True):
        message, coverage = violation.get("message"), violation.get("coverage")
        page.equal(each.get("first") and (each["first"]["message"], place(each["first"].get("location"))),
                   message and (message["text"], place(message.get("location"))), f"what {violation['title']} said")
        if coverage:
            page.equal([each["tally"], each["shortfall"], each["files"]],
                       [coverage["tally"], coverage["shortfall"], coverage["files"]], f"the lines of {violation['title']}")
