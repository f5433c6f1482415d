"""What a run changes, and two runs that are compared."""

import told
import words
from run_parts import section
from stored import Run, Store
from words import counted, duration, percent, share, tally


def change(page, verdict) -> None:
    box = page.main.one("section", id="change")
    told_of = verdict.body.get("change")
    if box is None or not told_of:
        return
    lines = told_of["lines"]["covered"], told_of["lines"]["total"]
    page.equal((sum(file["tally"]["covered"] for file in told_of["files"]), sum(file["tally"]["total"] for file in told_of["files"])),
               lines,
               "the changed lines, as the sum of the files")
    summary = "No executable line was changed" if not lines[1] else (
        f"{tally(*lines)} changed lines {'is' if lines[1] == 1 else 'are'} covered ({percent(*lines)})")
    base = f" against {told_of['base']['name']} at {told_of['base']['commit'][:12]}"
    rule = told_of.get("rule")
    judged_by = "" if not rule else ", nothing to judge" if not lines[1] else (
        f", not judged: fewer than {counted(rule['minimumLines'], 'line')}"
        if lines[1] < rule["minimumLines"] else f", floor {told.floor_words(rule['line'])}")
    page.says(box.one("p"), summary + base + judged_by, "the changed lines")
    for note in box.all("p", "note"):
        if note.words.startswith("Lines still there"):
            now, before = [(told_of[name]["covered"], told_of[name]["total"]) for name in ("project", "before")]
            end = " without unstable lines" if any(file.get("unstable") for file in told_of["indirect"]) else ""
            page.says(note, f"Lines still there were {percent(*before)} covered at the base ({tally(*before)}); the project is now "
                            f"{percent(*now)} ({tally(*now)}){end}", "the lines of the project")
    listed = [row.all("td")[0].words for row in box.all("tr") if row.all("td")]
    for file in told_of["files"]:
        page.equal(file["path"] in listed, True, f"{file['path']} is among the changed files")
    for row in box.all("tr"):
        cells = row.all("td")
        file = next((each for each in told_of["files"] if cells and each["path"] == cells[0].words), None)
        if file and cells[1].words[:1].isdigit() and " of " in cells[1].words:
            missed = " ".join(words.lines(*each) for each in file["missed"][:20])
            page.says(cells[1], tally(file["tally"]["covered"], file["tally"]["total"]) + (f", missed {missed}" if missed else ""),
                      f"the changed lines of {file['path']}")
        elif cells:
            page.explain(cells[1].every_text())


def differences_of(before: Run, after: Run) -> dict:
    """The tests of two runs by what became of them."""
    names = ("regressed", "new and failing", "still failing", "fixed", "new", "removed", "newly skipped", "changed otherwise")
    found: dict = {name: [] for name in names}
    one, other = ({result.test: result for result in each.results} for each in (before, after))
    is_part = before.is_partial or after.is_partial
    for test in sorted(one.keys() | other.keys(), key=lambda test: test.key):
        old, new = one.get(test), other.get(test)
        if is_part and (old is None or new is None):
            continue
        if old is None:
            found["new and failing" if new.is_failure else "new"].append(test)
        elif new is None:
            found["removed"].append(test)
        elif new.is_failure:
            found["still failing" if old.is_failure else "regressed"].append(test)
        elif old.is_failure and new.outcome in ("passed", "known issue"):
            found["fixed"].append(test)
        elif new.outcome == "skipped" and old.outcome != "skipped":
            found["newly skipped"].append(test)
        elif new.outcome != old.outcome:
            found["changed otherwise"].append(test)
    return {name: tests for name, tests in found.items() if tests}


def difference_words(before: Run, after: Run) -> str:
    if after.status == 3:
        return "tests not run"
    if before.status == 3:
        return "tests did not run before"
    found = differences_of(before, after)
    if not found:
        return "every test of both ended as before" if before.is_partial or after.is_partial else "every test ended as before"
    return ", ".join(f"{len(tests):,} {name}" for name, tests in found.items())


def differences(page, before: Run, after: Run) -> None:
    """The tables of what differs between two runs."""
    results = [{result.test: result for result in each.results} for each in (before, after)]
    if 3 not in (before.status, after.status):
        for name, tests in differences_of(before, after).items():
            title = f"{name[:1].upper()}{name[1:]}: {len(tests):,}"
            table = page.table_below(title)
            if table is None:
                page.finding(f"no part is called {title!r}")
                continue
            page.explain(section(page, title).one("h2").every_text())
            for cells, test in zip(page.rows(table), tests):
                if test.identity not in cells[0].words:
                    page.finding(f"{title}: {cells[0].words!r} stands where {test.identity} should")
                page.explain(cells[0].every_text())
                for cell, each in zip(cells[2:], results):
                    result = each.get(test)
                    page.says(cell, f"{words.OUTCOME_SIGNS[result.outcome]} {result.outcome}" if result else "– absent",
                              f"{test.identity} in {title}")
    slower = [test for test in results[0].keys() & results[1].keys()
              if results[0][test].outcome == results[1][test].outcome == "passed"
              and None not in (results[0][test].duration, results[1][test].duration)
              and results[1][test].duration >= 2 * results[0][test].duration
              and results[1][test].duration - results[0][test].duration >= 10**8]
    heads = [head for head in page.main.all("h2") if head.words.startswith("Slower:")]
    page.equal([head.words for head in heads], [f"Slower: {len(slower):,}"] if slower else [], "how many tests are slower")
    for head in heads:
        page.explain(head.every_text())
        for cells in page.rows(page.table_below(head.words)):
            test = next(each for each in slower if each.identity in cells[0].words)
            page.explain(cells[0].every_text())
            page.says(cells[1], duration(results[0][test].duration), f"{test.identity} before")
            page.says(cells[2], duration(results[1][test].duration), f"{test.identity} after")
    names = {module.name for run in (before, after) for module in run.verdict.modules if module.is_measured}
    page.equal(names - {cells[0].words for cells in page.rows(page.table_below("Modules"))}, set(), "the modules that are not compared")
    for cells in page.rows(page.table_below("Modules")):
        old, new = before.verdict.module(cells[0].words), after.verdict.module(cells[0].words)
        for cell, module in zip(cells[1:3], (old, new)):
            page.says(cell, share(module.lines if module else None), f"the lines of {cells[0].words}")
        page.says(cells[3], words.points(old and old.lines, new and new.lines), f"the change of {cells[0].words}")


def compare(page, store: Store) -> None:
    before, after = store.by_id[page.query["before"]], store.by_id[page.query["after"]]
    page.says(page.main.one("h1"), f"From run {before.short} to {after.short}", "what is compared")
    said = difference_words(before, after)
    page.says(page.main.one("p", "soft"), f"{said[:1].upper()}{said[1:]}.", "what differs")
    told.run_table(page, page.table_below("Before and after"), [before, after], "the two runs")
    differences(page, before, after)
    if (after.verdict.body.get("change") or {}).get("baseRun") == before.id:
        change(page, after.verdict)
