"""Pages of one run, and of two that are compared."""

import re

import testmap
import told
import words
from stored import METRICS, Run, Store, thousandths
from words import FAILURES, OUTCOMES, counted, duration, percent, share, tally

PLURALS = {"line": "Lines", "region": "Regions", "function": "Functions"}


def of(page, store: Store) -> Run:
    return store.by_id[page.path.split("/")[2]]


def state(module) -> str:
    """How a module stands: not measurable, not recorded, under a floor, at its floors, or without one."""
    if module.unmeasurable is not None:
        return "not measurable"
    if not module.lines[1]:
        return "not recorded"
    return "under" if module.is_under_any else "reached" if module.floors else "not judged"


def excluded(run: Run, path: str) -> bool:
    patterns = [status["exclusion"]["path"] for status in run.verdict.body["exclusions"]]
    return any(re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), path) for pattern in patterns)


def total(files: list) -> tuple:
    return sum(file.tally[0] for file in files), sum(file.tally[1] for file in files)


def section(page, title: str):
    return next((each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == title), None)


def run(page, store: Store) -> None:
    it = of(page, store)
    verdict = it.verdict
    headline = page.main.one("section", "verdict")
    judged(page, headline, it)
    tiles = page.main.all("div", "tile")
    others = [kind for kind in ("failed", "crashed", "timed out", "skipped", "known issue", "not run") if it.outcomes[kind] or kind == "failed"]
    rest = " · ".join(words.outcome(kind, it.outcomes[kind]) for kind in others)
    page.says(tiles[0], f"Tests {it.outcomes['passed']:,} of {it.total:,} passed {rest}", "the tests")
    page.speaks(tiles[0].one("svg"), "aria-label", f"{it.outcomes['passed']:,} passed, {rest}", "the bar of the tests")
    measured = [module for module in verdict.modules if module.unmeasurable is None]
    sums = {metric: tuple(sum(module.tallies[metric][side] for module in measured) for side in (0, 1)) for metric in METRICS}
    if sums["line"][1]:
        page.says(tiles[1], f"Lines covered {share(sums['line'])} regions {percent(*sums['region'])} · functions {percent(*sums['function'])}",
                  "the lines covered")
        page.speaks(tiles[1].one("svg"), "aria-label", f"{percent(*sums['line'])} covered", "the bar of the lines")
        page.equal(it.lines, sums["line"], "the lines of the run, as the sum of its modules")
        page.equal(total([file for file in it.files if not excluded(it, file.path)]), sums["line"], "the lines of the run, as the sum of its files")
    states = [state(module) for module in verdict.modules]
    under, reached = states.count("under"), states.count("reached")
    if under + reached:
        left = [(states.count("not judged"), "not judged"), (states.count("not measurable") + states.count("not recorded"), "not measured")]
        page.says(tiles[2], f"Modules {reached:,} of {under + reached:,} at or above {'its floor' if under + reached == 1 else 'their floors'} "
                  + (" · ".join(f"{number:,} {word}" for number, word in left if number) or "every module is judged"), "the modules")
        page.speaks(tiles[2].one("svg"), "aria-label", f"{under:,} under {'its floor' if under == 1 else 'their floors'}", "the bar of the modules")
    else:
        page.explain(tiles[2].texts()) if not any(text.numbers for text in tiles[2].texts()) else page.says(
            tiles[2], "Modules – no floor was judged " + " · ".join(f"{number:,} {word}" for number, word in (
                (states.count("not judged"), "not judged"), (len(states) - states.count("not judged"), "not measured")) if number), "the modules")
    steps = store.all("SELECT * FROM step WHERE run = ? ORDER BY position", it.row)
    spent = " · ".join(f"{step['kind']} {duration(step['duration'])}" for step in steps if step["kind"] in ("build", "test"))
    page.says(tiles[3], f"Duration {duration(it.duration)} in all {spent or 'ran elsewhere'}", "the duration")
    targets(page, it)
    modules(page, it)
    files(page, it)
    failures(page, it)
    change(page, verdict)
    how(page, it, steps)


def judged(page, box, it: Run) -> None:
    """The verdict with its reasons: its sign, its numbers, and that nothing red is told as green."""
    verdict, head = it.verdict, box.one("h1")
    page.equal(head.words.startswith(f"{words.SIGNS[it.decision]} {words.WORDS[it.decision]}"), True, f"the verdict {head.words[:40]!r}")
    off = it.manifest.get("selection", {}).get("disabledTargets", [])
    part = [f"switched off: {', '.join(off)}"] if off and not it.is_partial else []
    if it.decision == "passed":
        reached = [state(module) for module in verdict.modules].count("reached")
        said = [counted(it.outcomes["passed"], "test")]
        said += [words.outcome(kind, it.outcomes[kind]) for kind in ("known issue", "skipped") if it.outcomes[kind]]
        said += [f"{counted(reached, 'module')} at or above {'its floor' if reached == 1 else 'their floors'}"] if reached else []
        flaky = sum(result.is_recovered for result in it.results)
        said += [f"{flaky:,} flaky"] if flaky else []
        said += [f"{counted(it.failures, 'failure')} in quarantine"] if it.failures else []
        if it.is_partial:
            page.equal(head.words.startswith("✓ Passed: " + ", ".join(said)), True, f"the verdict {head.words!r}")
            page.explain(head.every_text())
        else:
            page.says(head, f"✓ Passed: {', '.join(said + part)}", "the verdict")
    else:
        # As many tests as failed outside of the quarantine, as many modules as are under a floor.
        blamed = [each for each in verdict.body["violations"] if each["rule"] == "tests"]
        under = sum(module.is_under_any for module in verdict.modules)
        expected = {"test": len(blamed), "module": under}
        for number, noun in re.findall(r"([\d,]+) (test|module)s?\b(?= failed| under)", head.words):
            page.equal(int(number.replace(",", "")), expected[noun], f"the number of {noun}s in {head.words!r}")
        if it.status == 1 and f"{counted(len(blamed), 'test')} failed" not in head.words:
            page.finding(f"{head.words!r} does not say that {counted(len(blamed), 'test')} failed")
        page.explain(head.every_text())
    page.equal(f"Exit status {verdict.status}:" in box.one("p", "by").words, True, "the exit status")
    page.explain(box.one("p", "by").every_text())
    items = box.all("li")
    reasons = [each for each in verdict.body["violations"]] + verdict.body["gaps"]
    page.equal(len(items), len(reasons), "how many reasons the verdict has")
    for item, reason in zip(items, reasons):
        quoted = [reason.get("reason", ""), reason.get("hint", ""), reason.get("detail", ""), (reason.get("message") or {}).get("text", "")]
        for text in filter(None, quoted):
            if words_of(text)[:200] not in item.words:
                page.finding(f"the reason {item.words[:80]!r} does not say {text[:80]!r}")
        coverage = reason.get("coverage")
        if coverage and "tally" in coverage:
            covered, all_lines = coverage["tally"]["covered"], coverage["tally"]["total"]
            name = reason["subject"].get("module", {}).get("_0")
            module = verdict.module(name) if name else None
            if module:
                page.equal((covered, all_lines), module.tallies[coverage["metric"]], f"the lines of {name} in the reason")
                needed = -(-thousandths(coverage["floor"]) * all_lines // 100_000) - covered
                page.equal(coverage["shortfall"], needed, f"how many lines {name} is short of")
                page.equal(sum(file["missed"] for file in coverage["files"]), all_lines - covered, f"how many lines {name} misses")
        page.explain(item.every_text())


def words_of(text: str) -> str:
    from page import plain
    return plain(text)


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
                    words.outcomes(counts, ("skipped", "known issue", "not run")) or "–", duration(sum(result.duration or 0 for result in results))]
        for cell, text in zip(cells, expected):
            if text is not None:
                page.says(cell, text, f"the target {cells[0].words}, {cell.attributes.get('data-label')}")
        page.speaks(cells[1].one("svg"), "aria-label", f"{counts['passed']:,} of {len(results):,} passed, {failed:,} failed", "the bar of a target")
    for summary in page.main.all("summary"):
        if summary.words.startswith("Neither passed"):
            page.says(summary, f"Neither passed nor failed: {words.outcomes(it.outcomes, ('skipped', 'known issue', 'not run'))}", "what neither passed nor failed")
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
        page.says(cells[0], f"{signs[state(module)]} {module.name}" + (f" {counted(gone, 'file')} excluded" if gone else ""), f"the module {module.name}")
        if len(cells) < 6:
            page.equal(state(module) in ("not measurable", "not recorded"), True, f"{module.name} is measured")
            continue
        floor = module.floors.get("line")
        page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*module.lines)} covered" + (f", floor {told.floor_words(floor)}" if floor else ""),
                    f"the bar of {module.name}")
        page.says(cells[2], told.floor_words(floor) if floor else "–", f"the floor of {module.name}")
        for cell, metric in zip(cells[3:], METRICS):
            other = f" floor {told.floor_words(module.floors[metric])}" if metric != "line" and metric in module.floors else ""
            page.says(cell, share(module.tallies[metric]) + other, f"the {metric}s of {module.name}")
            page.equal("under" in cell.classes, module.is_under(metric), f"whether {module.name} is under its floor of {metric}s")


def files(page, it: Run) -> None:
    for box in page.main.all("details", "files"):
        # The list of changed lines is another one.
        if box.one("td", "bars") is None:
            continue
        name = box.one("summary").one("strong").words
        own = [file for file in it.files if file.module == name]
        counting = [file for file in own if not excluded(it, file.path)]
        missed, gone = sum(file.tally[1] - file.tally[0] for file in counting), len(own) - len(counting)
        page.says(box.one("summary"), f"{name} {counted(len(counting), 'file')}, " + (f"{counted(missed, 'line')} missed" if missed else "no line missed")
                  + (f"; {counted(gone, 'file')} excluded" if gone else ""), f"the files of {name}")
        rows = page.rows(box.one("table", "list"))
        page.equal(len(rows), len(own), f"how many files {name} has")
        for cells in rows:
            file = next(each for each in own if each.path in cells[0].words)
            page.says(cells[0], file.path + (" excluded: not counted" if excluded(it, file.path) else ""), "a file")
            page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*file.tally)} covered", f"the bar of {file.path}")
            page.says(cells[2], f"{percent(*file.tally)} {tally(*file.tally)}", f"the lines of {file.path}")
            missed_lines(page, cells[3], file, 12)


def missed_lines(page, cell, file, most: int) -> None:
    ranges = file.missed_ranges
    text = " ".join(words.lines(*each) for each in ranges[:most])
    if len(ranges) > most:
        text += f" {counted(len(ranges) - most, 'more range')}"
    page.equal(re.sub(r"^none missed$", "", cell.words).replace("… ", ""), text, f"the missed lines of {file.path}")
    page.explain(cell.every_text())


def failures(page, it: Run) -> None:
    cards = page.main.all("article", "failed")
    failed = [result for result in it.results if result.is_failure]
    cards = [card for card in cards if card.attributes.get("id", "").startswith("failure-")]
    if failed:
        page.equal(len(cards), min(100, len(failed)), "how many failed tests are shown")
    for card, result in zip(cards, sorted(failed, key=lambda result: result.test.key)):
        facts = card.one("p", "soft")
        expected = [duration(result.duration)] if result.duration is not None else []
        expected += [counted(len(result.attempts), "attempt")] if len(result.attempts) > 1 else []
        if expected and " · ".join(expected) not in facts.words:
            page.finding(f"{result.test.identity}: {facts.words!r} does not say {' · '.join(expected)!r}")
        page.explain(facts.every_text())
        excerpt(page, card, it)
        for text in card.every_text():
            if not text.is_explained and text.parent.tag in ("p", "bdi", "a", "code", "span", "h3", "summary", "pre"):
                page.explain([text])
    for table in page.main.all("article"):
        excerpt(page, table, it)


def excerpt(page, card, it: Run) -> None:
    """Lines of a source, as the run kept it, with their numbers."""
    for table in card.all("table", "excerpt"):
        link = table.one("a").href
        path = re.search(r"path=([^#&]*)", link)
        from urllib.parse import unquote
        lines = source_lines(it, unquote(path.group(1))) if path else None
        for row in table.all("tr"):
            number, _, code = row.all("td")
            if lines is not None:
                page.says(code, lines[int(number.words) - 1], f"line {number.words} of an excerpt")
            page.explain(number.every_text())


def source_lines(it: Run, path: str) -> list | None:
    digest = next((source["sha256"] for source in it.manifest.get("sources", []) if source["path"] == path), None)
    return (it.manifest["folder"] / "sources" / digest).read_text().split("\n") if digest else None


def change(page, verdict) -> None:
    box = page.main.one("section", id="change")
    told_of = verdict.body.get("change")
    if box is None or not told_of:
        return
    lines = told_of["lines"]["covered"], told_of["lines"]["total"]
    page.equal((sum(file["tally"]["covered"] for file in told_of["files"]), sum(file["tally"]["total"] for file in told_of["files"])), lines,
               "the changed lines, as the sum of the files")
    summary = "No executable line was changed" if not lines[1] else (
        f"{tally(*lines)} changed lines {'is' if lines[1] == 1 else 'are'} covered ({percent(*lines)})")
    base = f" against {told_of['base']['name']} at {told_of['base']['commit'][:12]}"
    rule = told_of.get("rule")
    judged_by = "" if not rule else ", nothing to judge" if not lines[1] else (
        f", not judged: fewer than {counted(rule['minimumLines'], 'line')}" if lines[1] < rule["minimumLines"] else f", floor {told.floor_words(rule['line'])}")
    page.says(box.one("p"), summary + base + judged_by, "the changed lines")
    for note in box.all("p", "note"):
        if note.words.startswith("Lines still there"):
            now, before = [(told_of[name]["covered"], told_of[name]["total"]) for name in ("project", "before")]
            end = " without unstable lines" if any(file.get("unstable") for file in told_of["indirect"]) else ""
            page.says(note, f"Lines still there were {percent(*before)} covered at the base ({tally(*before)}); the project is now "
                            f"{percent(*now)} ({tally(*now)}){end}", "the lines of the project")
    for row in box.all("tr"):
        cells = row.all("td")
        file = next((each for each in told_of["files"] if cells and each["path"] == cells[0].words), None)
        if file and cells[1].words[:1].isdigit() and " of " in cells[1].words:
            missed = " ".join(words.lines(*each) for each in file["missed"][:20])
            page.says(cells[1], tally(file["tally"]["covered"], file["tally"]["total"]) + (f", missed {missed}" if missed else ""), f"the changed lines of {file['path']}")
        elif cells:
            page.explain(cells[1].every_text())


def how(page, it: Run, steps: list) -> None:
    """How it was run: steps, facts and the policy, which are texts of the store, but for the numbers of the policy."""
    for cells, step in zip(page.rows(page.main.one("table", "steps")), steps):
        page.says(cells[2], duration(step["duration"]), f"the time of {step['kind']}")
        end = f"exit {step['exited']}" if step["exited"] is not None else f"signal {step['signaled']}"
        page.says(cells[3], end + (", time limit" if step["is_timed_out"] else ""), f"the end of {step['kind']}")
        page.explain(cells[1].every_text())
    facts = page.main.one("dl", "facts")
    for name, value in zip(facts.all("dt"), facts.all("dd")):
        if name.words == "Policy":
            policy = it.verdict.policy
            for demand in (f"Quarantine: {counted(len(policy.get('quarantine', [])), 'test')}" if policy.get("quarantine") else "",
                           f"Tests: at least {counted(policy['minimumTests'], 'test')}" if policy.get("minimumTests") else "",
                           *(f"{rule['pattern']} lines ≥ {told.floor_words(rule['floors']['line'])}" for rule in policy["modules"])):
                if demand not in value.words:
                    page.finding(f"the policy {value.words!r} does not say {demand!r}")
        elif name.words == "Began":
            page.says(value, words.exact(it.began_at), "when it began")
        page.explain(value.every_text())
    for row in page.rows(page.main.one("table", "exclusions")):
        own = [file for file in it.files if re.fullmatch(re.escape(row[0].words).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), file.path)]
        page.says(row[1], f"{counted(len(own), 'file')}, {counted(total(own)[1], 'executable line')}", f"what {row[0].words} excludes")
    head = page.main.one("p", "revision")
    told.moment(page, head, it, "the run")
    if duration(it.duration) not in head.words:
        page.finding(f"{head.words!r} does not say that it took {duration(it.duration)}")
    page.explain(head.every_text())
    for name in ("base", "differences", "notes"):
        box = page.main.one("section", id=name)
        if box and name == "differences" and (other := re.search(r"run (\S+) of", box.one("p", "note").words)):
            before = next(each for each in it.store.runs if each.short == other.group(1))
            page.says(box.one("p", "note"), f"Against {before.words}: {difference_words(before, it)}.", "what changed")
        if box and name == "base":
            base = it.verdict.body["base"]
            for text in (base["commit"]["commit"][:12], *(each["waiver"]["until"] for each in base["waivers"])):
                if text not in box.words:
                    page.finding(f"what it is compared with does not say {text!r}")
        if box:
            page.explain(box.every_text())
    for link in page.main.all("a"):
        if link.words.startswith("Compared with run"):
            page.explain(link.every_text())
    for box in page.main.all("div", id="remarks"):
        page.explain(box.every_text())


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
                    page.says(cell, f"{words.OUTCOME_SIGNS[result.outcome]} {result.outcome}" if result else "– absent", f"{test.identity} in {title}")
    slower = [test for test in results[0].keys() & results[1].keys()
              if results[0][test].outcome == results[1][test].outcome == "passed" and None not in (results[0][test].duration, results[1][test].duration)
              and results[1][test].duration >= 2 * results[0][test].duration and results[1][test].duration - results[0][test].duration >= 10**8]
    heads = [head for head in page.main.all("h2") if head.words.startswith("Slower:")]
    page.equal([head.words for head in heads], [f"Slower: {len(slower):,}"] if slower else [], "how many tests are slower")
    for head in heads:
        page.explain(head.every_text())
        for cells in page.rows(page.table_below(head.words)):
            test = next(each for each in slower if each.identity in cells[0].words)
            page.explain(cells[0].every_text())
            page.says(cells[1], duration(results[0][test].duration), f"{test.identity} before")
            page.says(cells[2], duration(results[1][test].duration), f"{test.identity} after")
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


def tests(page, store: Store) -> None:
    import lists
    it, target, tag = of(page, store), page.query["target"], page.query.get("tag")
    own = [result for result in it.results if result.test.module == target]
    chosen = [result for result in own if lists.tagged(result, tag)]
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
        members = next((results for suite, results in suites.items() if name in (suite or "free functions", results[0].description.get("suite_display_name"))), [])
        own_counts = {kind: sum(result.outcome == kind for result in members) for kind in OUTCOMES}
        page.says(head.one("span", "soft"), words.outcomes(own_counts), f"the tests of {name}")
    rows = [cells for table in page.main.all("table", "tests") for cells in page.rows(table)]
    page.equal(len(rows), len(chosen), "how many tests are listed")
    for cells in rows:
        link = cells[1].href
        from urllib.parse import parse_qs, urlsplit
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


def coverage(page, store: Store) -> None:
    it, name = of(page, store), page.query.get("module")
    shown = [file for file in it.files if name is None or file.module == name]
    counting = [file for file in shown if not excluded(it, file.path)]
    gone, lines = len(shown) - len(counting), total(counting)
    page.says(page.main.one("p", "soft"), f"{percent(*lines)}: {tally(*lines)} executable lines in {counted(len(counting), 'file')}"
              + (f"; {counted(gone, 'file')} excluded." if gone else "."), "the lines of all files")
    if name:
        module = it.verdict.module(name)
        for tile, metric in zip(page.main.all("div", "tile"), METRICS):
            floor, (covered, of_all) = module.floors.get(metric), module.tallies[metric]
            short = max(0, -(-thousandths(floor) * of_all // 100_000) - covered) if floor else 0
            page.says(tile, f"{PLURALS[metric]} {share((covered, of_all))} " + (
                "no floor" if not floor else f"floor {told.floor_words(floor)}, " + ("reached" if not short else f"{short:,} short")), f"the {metric}s")
            page.speaks(tile.one("svg"), "aria-label", f"{percent(covered, of_all)} covered" + (f", floor {told.floor_words(floor)}" if floor else ""), "a bar")
        states = [each for each in store.states(it.project, store.default_branch(it.project))[:100][::-1] if each.module(name) and each.module(name).unmeasurable is None]
        floor = module.floors.get("line")
        shares = [told.share(each.module(name).lines) for each in states if each.module(name).lines[1]] + ([float(floor) / 100] if floor else [])
        told.chart(page, "Lines covered", f"over {counted(len(states), 'run')}" + (f", dashed: the floor, {told.floor_words(floor)}" if floor else ""),
                   [(each.run, f"{each.run.words}: {percent(*each.module(name).lines)}") for each in states], told.percent_scale(shares))
    for cells in page.rows(page.table_below("Modules")):
        module = next(each for each in it.verdict.modules if cells[0].words.startswith(each.name))
        floor, has_lines = module.floors.get("line"), module.is_measured
        for cell, text in zip(cells[2:], (told.floor_words(floor) if floor else "–", share(module.lines) if has_lines else "–",
                                          f"{module.lines[1] - module.lines[0]:,}" if has_lines else "–")):
            page.says(cell, text, f"the module {module.name}")
        if has_lines:
            page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*module.lines)} covered" + (f", floor {told.floor_words(floor)}" if floor else ""), "a bar")
    prefix: list = []
    for cells in page.rows(page.table_below("Files")):
        depth = int(next((style[6:] for style in cells[0].classes if style.startswith("depth-")), 0))
        label = cells[0].one("bdi").words
        prefix[depth:] = [label]
        path = "".join(prefix)
        if label.endswith("/"):
            lines, file = total([each for each in counting if each.path.startswith(path)]), None
        else:
            file = next(each for each in shown if each.path == path)
            lines = file.tally
        page.says(cells[2], share(lines), f"the lines of {path}")
        page.says(cells[3], f"{lines[1] - lines[0]:,}", f"the missed lines of {path}")
        page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*lines)} covered", f"the bar of {path}")
        page.explain(cells[0].every_text())
        if file:
            missed_lines(page, cells[4], file, 6)
    for cell in page.main.all("svg", "files"):
        for link in cell.all("a"):
            file = next(each for each in counting if link.attributes["aria-label"].startswith(f"{each.path}: "))
            said = f"{file.path}: {percent(*file.tally)}, {tally(*file.tally)}"
            page.speaks(link, "aria-label", said, "a file of the map")
            page.says(link.one("title"), said, "a file of the map")
    if name:
        sole(page, store, it, name)


def sole(page, store: Store, it: Run, name: str) -> None:
    """Functions of a module that one test alone executes."""
    box = section(page, "Executed by one test only")
    if box is None or it.columns["test_map"] is None:
        return
    _, files = testmap.read(store, it)
    own = {file.path for file in it.files if file.module == name}
    alone = [(path, each) for path, all_of in files.items() if path in own for each in all_of if len(each[3][0]) == 1 and not each[3][1]]
    page.says(box.one("p", "note"), f"{counted(len(alone), 'function')}: without that test nothing would notice a fault in them.", "functions of one test")
    rows = page.rows(box.one("table"))
    page.equal(len(rows), min(100, len(alone)), "how many functions are listed")
    for cells in rows:
        place = cells[0].one("bdi").words
        found = next((each for path, each in alone if f"{path.rsplit('/', 1)[-1]}:{each[1]}" == place), None)
        if found is None:
            page.finding(f"{place} is executed by other tests, too")
            continue
        page.says(cells[1], f"{found[2] - found[1] + 1:,}", f"the lines of {place}")
        page.explain([text for cell in cells for text in cell.every_text()])


def policy(page, store: Store) -> None:
    it = of(page, store)
    verdict, asked = it.verdict, page.query.get("line")
    page.says(page.main.one("h1"), f"{words.SIGNS[verdict.decision]} Policy", "the heading")
    page.says(page.main.one("p", "soft"), f"The rules of {it.words}.", "whose rules they are")
    for cells, module in zip(page.rows(page.table_below("Floors of modules")), verdict.modules):
        for cell, metric in zip(cells[1:], METRICS):
            floor, lines = module.floors.get(metric), module.tallies[metric]
            page.says(cell, "–" if not floor else f"{told.floor_words(floor)} {percent(*lines)}, {tally(*lines)}", f"the floor of {module.name}")
    rules = {cells[0].words: cells[1] for cells in page.rows(page.table_below("Other rules"))}
    patch, own = verdict.policy.get("patch"), verdict.policy
    quarantined = len(own.get("quarantine", []))
    expected = {"Quarantine": counted(quarantined, "test") if quarantined else "off", "Flaky tests": own.get("flaky", "warn"),
                "Tests": f"at least {counted(own['minimumTests'], 'test')}" if own.get("minimumTests") else "off",
                "Changed lines": f"≥ {told.floor_words(patch['line'])} from {counted(patch['minimumLines'], 'line')} on" if patch else "off"}
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
    page.equal({cells[0].words: cells[2].words for cells in rows}, {path: words.size(size) for path, size in artifacts.items()}, "the files and their sizes")
    for cells in rows:
        page.explain([text for cell in cells for text in cell.every_text()])
    page.says(page.main.one("p", "soft"), f"The files of {it.words}: its evidence and its policy.", "whose files they are")


def source(page, store: Store) -> None:
    it, path = of(page, store), page.query["path"]
    file, lines = next((each for each in it.files if each.path == path), None), source_lines(it, path)
    if file:
        facts = page.main.one("p", "facts-line")
        for text in (f"{percent(*file.tally)} {tally(*file.tally)} executable lines", f"regions {percent(*file.regions)}, {tally(*file.regions)}",
                     f"functions {percent(*file.functions)}, {tally(*file.functions)}"):
            if text not in facts.words:
                page.finding(f"{facts.words!r} does not say {text!r}")
        page.explain(facts.every_text())
        if jumps := page.main.one("nav", "jumps"):
            missed = file.tally[1] - file.tally[0]
            page.says(jumps, f"✕ {counted(missed, 'line')} missed: " + " ".join(words.lines(*each) for each in file.missed_ranges), "the missed lines")
    rail = page.main.one("svg", "minimap")
    if rail and file:
        page.speaks(rail, "aria-label", f"The file from top to bottom: {counted(file.tally[1] - file.tally[0], 'missed line')}", "the map of the file")
        page.explain([text for each in rail.all() for text in each.every_text()])
    counts: dict = {}
    if it.columns["test_map"] is not None and file:
        _, files = testmap.read(store, it)
        for _, _, _, _, parts in files.get(path, []):
            for begin, end, (rows, _) in parts:
                for line in range(begin, end + 1):
                    counts.setdefault(line, set()).update(rows)
    for row in page.main.all("tr"):
        number = int(row.attributes.get("id", "L0")[1:])
        cells = {style: cell for cell in row.all("td") for style in cell.classes}
        if not number or "code" not in cells:
            continue
        page.says(cells["no"].one("a"), f"{number}", "the number of a line")
        page.explain(cells["no"].every_text())
        code = "".join(text.words for text in cells["code"].texts() if text.parent is cells["code"] or "part" in text.parent.classes)
        page.equal(code.split(), (lines[number - 1] if lines else "").split(), f"the text of line {number}")
        page.explain(cells["code"].every_text())
        if "tests" in cells:
            page.says(cells["tests"], f"{len(counts[number]):,}" if number in counts else "", f"the tests of line {number}")
            page.explain(cells["tests"].every_text())
        covered = file.lines.get(number) if file else None
        sign = cells["count"].words
        if (covered is None) != (sign == "") or (covered is False) != (sign == "✕"):
            page.finding(f"line {number} says {sign!r}, but it is {'not executable' if covered is None else 'covered' if covered else 'missed'}")
        executed(page, store, it, file, number, cells["count"])


def executed(page, store: Store, it: Run, file, number: int, cell) -> None:
    """How often a line was executed, as far as the store keeps it: for the newest run."""
    spoken = next((text for text in cell.spoken if text.attribute == "title"), None)
    known = line_counts(store, it).get(file.path, {}) if file else {}
    if number in known and known[number]:
        page.speaks(cell, "title", f"executed {counted(known[number], 'time')}" + (", in part" if spoken and "in part" in spoken.words else ""), f"line {number}")
        if known[number] < 10_000:
            page.says(cell, f"{known[number]:,}", f"the executions of line {number}")
    elif cell.words[:1].isdigit():
        page.finding(f"line {number} says {cell.words!r}, but the store does not know how often it was executed")
    page.explain(cell.texts())


_COUNTS: dict = {}


def line_counts(store: Store, it: Run) -> dict:
    """The executions of the lines of every file; none for a run whose counts are not kept."""
    from stored import Numbers, unpacked
    if it.id not in _COUNTS:
        row = store.one("SELECT body FROM line_counts WHERE run = ?", it.row)
        _COUNTS[it.id] = {}
        if row:
            numbers = Numbers(unpacked(row["body"]))
            for file in it.files:
                body, values = Numbers(numbers.bytes(numbers.take())), []
                while body:
                    length = body.take()
                    values += [body.take()] * length
                _COUNTS[it.id][file.path] = dict(zip(sorted(file.lines), values))
    return _COUNTS[it.id]


def who(page, store: Store) -> None:
    it, path, line = of(page, store), page.query["path"], int(page.query["at"])
    recorded, files = testmap.read(store, it)
    around = [each for each in files[path] if each[1] <= line <= each[2]]
    tests, others = set(), False
    for each in around:
        for begin, end, (rows, also) in each[4]:
            if begin <= line <= end:
                tests |= rows
                others |= also
    page.says(page.main.one("h1"), f"{path}:{line}", "the line")
    page.says(page.main.one("p", "soft"), f"{counted(len(tests), 'test')} of the {len(recorded):,} that were recorded execute this line"
              + (", and code outside of tests." if others and tests else "."), "how many tests execute it")
    for title, rows in (("Tests", tests), ("Tests that execute the function around it", around[-1][3][0] if around else set())):
        table = page.table_below(title)
        if table is None:
            continue
        own = {store.tests[row].identity: store.tests[row] for row in rows}
        page.equal(len(page.rows(table)), len(own), f"how many tests are listed below {title}")
        for cells in page.rows(table):
            test = next((each for identity, each in own.items() if identity in cells[0].words), None)
            result = test and it.result(test)
            if result is None:
                page.finding(f"{cells[0].words!r} does not execute it")
                continue
            page.explain(cells[0].every_text())
            alone = recorded.get(test)
            times = {duration(alone * 100_000)} if alone is not None else set()
            times |= {duration(result.duration)} if result.duration is not None else {"–"}
            if cells[1].words not in times:
                page.finding(f"{test.identity} takes {cells[1].words!r}, but by the store {' or '.join(sorted(times))}")
            page.explain(cells[1].every_text())
    for cells in page.rows(page.table_below("Functions around it")):
        match = [each for each in around if words.lines(each[1], each[2]) in cells[0].words]
        if not match:
            page.finding(f"no function is at {cells[0].words!r}")
            continue
        page.says(cells[1], f"{len(match[0][3][0]):,}", f"the tests of {cells[0].words}")
        page.explain(cells[0].every_text())


def live(page, store: Store) -> None:
    """A run in progress is in no table; its own numbers must agree with each other."""
    figures = {tile.one("h2").words: tile.one("p", "figure").words for tile in page.main.all("div", "tile")}
    done, of_all = map(int, re.search(r"(\d+) of (\d+)", figures["Tests"]).groups())
    failed = int(figures["Failed"].split()[0])
    page.says(page.main.one("h1"), f"▸ Testing, {done:,} of {of_all:,}, {failed:,} failed", "how far it is")
    page.equal(len(page.main.one("ul", "plain-list").all("li")), failed, "how many tests failed so far")
    states = [each for each in store.states(page_project(store))][:5]
    middle = sorted(state.run.duration for state in states)[len(states) // 2] / 1e9
    elapsed = int(figures["Time"].split()[0])
    rest = int(middle + 0.5) - elapsed
    page.says(page.main.one("p", "by"), f"About {rest} s left: the median of the last {counted(len(states), 'full run')} is {int(middle + 0.5)} s.", "the time left")
    page.explain([text for tile in page.main.all("div", "tile") for text in tile.every_text()])
    for text in page.root.one("title").texts() + page.root.one("header").texts():
        if f"{done:,} of {of_all:,}, {failed:,} failed" in text.words or page.path.split("/")[2][-12:] in text.words:
            page.explain([text])
    page.explain(page.main.one("p", "revision").every_text() + page.main.one("pre").every_text())


def page_project(store: Store) -> str:
    """The project of the run that is in progress in the demo: the one with more runs."""
    return max(store.projects.values(), key=lambda name: len(store.of_project(name)))
