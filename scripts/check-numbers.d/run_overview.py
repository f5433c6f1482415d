"""The page of a run: its verdict, its figures, its targets and its modules."""

import re

import told
import words
from entries import METRICS
from reasons import judged
from run_changes import change
from run_parts import excluded, of, state, total
from run_sections import failures, files, how
from stored import Run, Store
from words import FAILURES, OUTCOMES, counted, duration, percent, share


def run(page, store: Store) -> None:
    it = of(page, store)
    verdict = it.verdict
    headline = page.main.one("section", "verdict")
    judged(page, headline, it)
    tiles = page.main.all("div", "tile")
    others = [kind for kind in ("failed", "crashed", "timed out", "skipped", "known issue", "not run") if it.outcomes[kind]
              or kind == "failed"]
    rest = " · ".join(words.outcome(kind, it.outcomes[kind]) for kind in others)
    page.says(tiles[0], f"Tests {it.outcomes['passed']:,} of {it.total:,} passed {rest}", "the tests")
    page.speaks(tiles[0].one("svg"), "aria-label", f"{it.outcomes['passed']:,} passed, {rest}", "the bar of the tests")
    measured = [module for module in verdict.modules if module.unmeasurable is None]
    sums = {metric: tuple(sum(module.tallies[metric][side] for module in measured) for side in (0, 1)) for metric in METRICS}
    if sums["line"][1]:
        page.says(tiles[1], f"Lines covered {share(sums['line'])} "
                  f"regions {percent(*sums['region'])} · functions {percent(*sums['function'])}",
                  "the lines covered")
        page.speaks(tiles[1].one("svg"), "aria-label", f"{percent(*sums['line'])} covered", "the bar of the lines")
        page.equal(it.lines, sums["line"], "the lines of the run, as the sum of its modules")
        page.equal(total([file for file in it.files if not excluded(it, file.path)]), sums["line"],
                   "the lines of the run, as the sum of its files")
    states = [state(module) for module in verdict.modules]
    under, reached = states.count("under"), states.count("reached")
    if under + reached:
        left = [(states.count("not judged"), "not judged"), (states.count("not measurable") + states.count("not recorded"), "not measured")]
        page.says(tiles[2], f"Modules {reached:,} of {under + reached:,} at or above "
                  f"{'its floor' if under + reached == 1 else 'their floors'} "
                  + (" · ".join(f"{number:,} {word}" for number, word in left if number) or "every module is judged"), "the modules")
        page.speaks(tiles[2].one("svg"), "aria-label", f"{under:,} under {'its floor' if under == 1 else 'their floors'}",
                    "the bar of the modules")
    else:
        page.explain(tiles[2].texts()) if not any(text.numbers for text in tiles[2].texts()) else page.says(
            tiles[2], "Modules – no floor was judged " + " · ".join(f"{number:,} {word}" for number, word in (
                (states.count("not judged"), "not judged"), (len(states) - states.count("not judged"), "not measured")) if number),
                "the modules")
    steps = store.all("SELECT * FROM step WHERE run = ? ORDER BY position", it.row)
    spent = " · ".join(f"{step['kind']} {duration(step['duration'])}" for step in steps if step["kind"] in ("build", "test"))
    page.says(tiles[3], f"Duration {duration(it.duration)} in all {spent or 'ran elsewhere'}", "the duration")
    targets(page, it)
    modules(page, it)
    files(page, it)
    failures(page, it)
    broken_here(page, it)
    change(page, verdict)
    how(page, it, steps)


def broken_here(page, it: Run) -> None:
    """The tests that its commit broke, as far as anybody has searched."""
    found = [each for each in told.culprits(it.store, it.project) if it.commit_id and each["suspects"][0]["commit"] == it.commit_id]
    table = page.table_below("Broken by this commit")
    page.equal(table is not None, bool(found), "whether it is known that it broke something")
    if table is None:
        return
    results = [next(result for result in it.results if told.is_about(each, result.test)) for each in found]
    page.compare_rows(table, [[told.test_cell(result), told.percentage(each), f"{counted(each['runs'], 'run')} of "
                               f"{counted(each['builds'], 'commit')}"] for result, each in zip(results, found)], "what its commit broke")


def targets(page, it: Run) -> None:
    table = page.main.one("table", "targets")
    groups: dict = {}
    for result in it.results:
        groups.setdefault(result.test.module, []).append(result)
    rows = page.rows(table)
    page.equal(len(rows), len(groups), "how many test targets there are")
    for cells in rows:
        results = groups[cells[0].words]
        counts = {kind: sum(result.outcome == kind for result in results) for kind in OUTCOMES}
        failed = sum(counts[kind] for kind in FAILURES)
        expected = [cells[0].words, None, f"{len(results):,}", f"{counts['passed']:,}", f"{failed:,}",
                    words.outcomes(counts, ("skipped", "known issue", "not run")) or "–",
                    duration(sum(result.duration or 0 for result in results))]
        for cell, text in zip(cells, expected):
            if text is not None:
                page.says(cell, text, f"the target {cells[0].words}, {cell.attributes.get('data-label')}")
        page.speaks(cells[1].one("svg"), "aria-label", f"{counts['passed']:,} of {len(results):,} passed, {failed:,} failed",
                    "the bar of a target")
    for summary in page.main.all("summary"):
        if summary.words.startswith("Neither passed"):
            page.says(summary, f"Neither passed nor failed: {words.outcomes(it.outcomes, ('skipped', 'known issue', 'not run'))}",
                      "what neither passed nor failed")
    for item in page.main.all("li"):
        # A retried test that passed, and a test in quarantine, are told with the rule and the store's words.
        for result in it.results:
            if result.test.identity in item.words and not all(text.is_explained for text in item.texts() if text.numbers):
                number = re.search(r"(\d+) attempts", item.words)
                if number and int(number.group(1)) != len(result.attempts):
                    page.finding(f"{item.words!r}, but it had {len(result.attempts)} attempts")
                page.explain(item.every_text())


def modules(page, it: Run) -> None:
    table = page.main.one("table", "modules")
    if table is None:
        return
    rows = page.rows(table)
    page.equal(len(rows), len(it.verdict.modules), "how many modules there are")
    signs = {"under": "✕", "reached": "✓", "not judged": "–", "not measurable": "–", "not recorded": "?"}
    for cells, module in zip(rows, it.verdict.modules):
        gone = sum(excluded(it, file.path) for file in it.files if file.module == module.name)
        page.says(cells[0], f"{signs[state(module)]} {module.name}" + (f" {counted(gone, 'file')} excluded" if gone else ""),
                  f"the module {module.name}")
        if len(cells) < 6:
            page.equal(state(module) in ("not measurable", "not recorded"), True, f"{module.name} is measured")
            continue
        floor = module.floors.get("line")
        page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*module.lines)} covered" + (f", floor {told.floor_words(floor)}"
                                                                                              if floor else ""),
                    f"the bar of {module.name}")
        page.says(cells[2], told.floor_words(floor) if floor else "–", f"the floor of {module.name}")
        for cell, metric in zip(cells[3:], METRICS):
            other = f" floor {told.floor_words(module.floors[metric])}" if metric != "line" and metric in module.floors else ""
            page.says(cell, share(module.tallies[metric]) + other, f"the {metric}s of {module.name}")
            page.equal("under" in cell.classes, module.is_under(metric), f"whether {module.name} is under its floor of {metric}s")
