"""Other pages of a run: its tests, policy and evidence."""

from urllib.parse import parse_qs, urlsplit

import told
import words
from entries import METRICS
from run_parts import of, tagged
from stored import Store
from words import FAILURES, OUTCOMES, counted, duration, percent, share, tally


def tests(page, store: Store) -> None:
    it, target, tag = of(page, store), page.query["target"], page.query.get("tag")
    own = [result for result in it.results if result.test.module == target]
    chosen = [result for result in own if tagged(result, tag)]
    counts = {kind: sum(result.outcome == kind for result in chosen) for kind in OUTCOMES}
    all_of = counted(len(own), "test")
    page.says(page.main.one("p", "soft"), (f"{len(chosen):,} of {all_of}" if tag else all_of) + f": {words.outcomes(counts)}", "the tests")
    suites: dict = {}
    for result in chosen:
        suites.setdefault(result.test.suite, []).append(result)
    by_name: dict = {}
    for result in chosen:
        by_name.setdefault(result.test.name, []).append(result)
    for head in page.main.all("h2"):
        name = head.one("bdi").words
        members = next((results for suite, results in suites.items()
                        if name in (suite or "free functions", results[0].description.get("suite_display_name"))), [])
        own_counts = {kind: sum(result.outcome == kind for result in members) for kind in OUTCOMES}
        page.says(head.one("span", "soft"), words.outcomes(own_counts), f"the tests of {name}")
    rows = [cells for table in page.main.all("table", "tests") for cells in page.rows(table)]
    page.equal(len(rows), len(chosen), "how many tests are listed")
    for cells in rows:
        link = cells[1].href
        named = {key: value[0] for key, value in parse_qs(urlsplit(link).query).items()}
        result = next((each for each in by_name.get(named["name"], []) if each.test.suite == named.get("suite", "")), None)
        if result is None:
            page.finding(f"{cells[1].words!r} is no such test of the run")
            continue
        page.says(cells[0], f"{words.OUTCOME_SIGNS[result.outcome]} {result.outcome}", f"{result.test.identity}: its outcome")
        page.says(cells[2], "–" if result.duration is None else duration(result.duration), f"{result.test.identity}: its time")
        earlier = sum(attempt in FAILURES for attempt in result.attempts[:-1])
        if result.outcome == "passed" and earlier and f"after {counted(earlier, 'failed attempt')}" not in cells[1].words:
            page.finding(f"{cells[1].words!r} does not say that it passed after {counted(earlier, 'failed attempt')}")
        for row in store.all("SELECT name, bytes FROM attachment WHERE run = ? AND test = ?", it.row, result.test.row):
            if f"{row['name']} {words.size(row['bytes'])}" not in cells[1].words:
                page.finding(f"{cells[1].words!r} does not say that {row['name']} has {words.size(row['bytes'])}")
        page.explain(cells[1].every_text())


def policy(page, store: Store) -> None:
    it = of(page, store)
    verdict, asked = it.verdict, page.query.get("line")
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} Policy", "the heading")
    page.says(page.main.one("p", "soft"), f"The rules of {it.words}.", "whose rules they are")
    for cells, module in zip(page.rows(page.table_below("Floors of modules")), verdict.modules):
        for cell, metric in zip(cells[1:], METRICS):
            floor, lines = module.floors.get(metric), module.tallies[metric]
            page.says(cell, "–" if not floor else f"{told.floor_words(floor)} {percent(*lines)}, {tally(*lines)}",
                      f"the floor of {module.name}")
    rules = {cells[0].words: cells[1] for cells in page.rows(page.table_below("Other rules"))}
    patch, own = verdict.policy.get("patch"), verdict.policy
    quarantined = len(own.get("quarantine", []))
    expected = {"Quarantine": counted(quarantined, "test") if quarantined else "off", "Flaky tests": own.get("flaky", "warn"),
                "Tests": f"at least {counted(own['minimumTests'], 'test')}" if own.get("minimumTests") else "off",
                "Changed lines": f"≥ {told.floor_words(patch['line'])} from {counted(patch['minimumLines'], 'line')} on"
                if patch else "off"}
    expected |= {f"Time of {rule['pattern']}": f"median {duration(rule['bound'])}" for rule in own.get("budgets", [])}
    for name, text in expected.items():
        if text is not None:
            page.says(rules.get(name), text, f"the rule {name}")
    if asked:
        floor = asked
        head = next(each for each in page.main.all("h2") if each.words.startswith("With "))
        under = [module for module in verdict.modules if module.is_measured and module.is_under("line", floor)]
        if f"With {told.floor_words(floor)}:" not in head.words or (under and "blocked, as judged" not in head.words):
            page.finding(f"{head.words!r}, but {counted(len(under), 'module')} would be under {floor} %")
        page.explain(head.every_text())
        for cells in page.rows(page.table_below(head.words)):
            module = verdict.module(cells[0].words)
            page.says(cells[1], share(module.lines), f"the lines of {module.name}")
            page.says(cells[3], "✕ under its floor" if module in under else "✓ reached", f"{module.name} with that floor")


def evidence(page, store: Store) -> None:
    it = of(page, store)
    artifacts = {artifact["path"]: artifact["bytes"] for artifact in it.manifest.get("artifacts", [])}
    rows = page.rows(page.main.one("table", "sheet"))
    page.equal({cells[0].words: cells[2].words for cells in rows}, {path: words.size(size) for path, size in artifacts.items()},
               "the files and their sizes")
    for cells in rows:
        page.explain([text for cell in cells for text in cell.every_text()])
    page.says(page.main.one("p", "soft"), f"The files of {it.words}: its evidence and its policy.", "whose files they are")
