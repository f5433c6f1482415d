"""The page of a run: its files, its failures, and how it was run."""

import json
import re
from urllib.parse import unquote

import told
import why
import words
from entries import METRICS
from run_changes import difference_words
from page import plain
from run_parts import excluded, missed_lines, source_lines, total
from stored import Run
from words import counted, duration, percent, tally


def files(page, it: Run) -> None:
    for box in page.main.all("details", "files"):
        # The list of changed lines is another one.
        if box.one("td", "bars") is None:
            continue
        name = box.one("summary").one("strong").words
        own = [file for file in it.files if file.module == name]
        counting = [file for file in own if not excluded(it, file.path)]
        missed, gone = sum(file.tally[1] - file.tally[0] for file in counting), len(own) - len(counting)
        page.says(box.one("summary"), f"{name} {counted(len(counting), 'file')}, " + (f"{counted(missed, 'line')} missed"
                                                                                      if missed else "no line missed")
                  + (f"; {counted(gone, 'file')} excluded" if gone else ""), f"the files of {name}")
        rows = page.rows(box.one("table", "list"))
        page.equal(len(rows), len(own), f"how many files {name} has")
        for cells in rows:
            file = next(each for each in own if each.path in cells[0].words)
            page.says(cells[0], file.path + (" excluded: not counted" if excluded(it, file.path) else ""), "a file")
            page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*file.tally)} covered", f"the bar of {file.path}")
            page.says(cells[2], f"{percent(*file.tally)} {tally(*file.tally)}", f"the lines of {file.path}")
            missed_lines(page, cells[3], file, 12)


def failures(page, it: Run) -> None:
    cards = page.main.all("article", "failed")
    failed = [result for result in it.results if result.is_failure]
    cards = [card for card in cards if card.attributes.get("id", "").startswith("failure-")]
    if failed:
        page.equal(len(cards), min(100, len(failed)), "how many failed tests are shown")
    causes = {result.test.key: cause for result, cause in why.causes(it)}
    if len(causes) > 1:
        page.says(page.main.one("section", id="failures").one("p", "note"), why.in_short(it), "why they failed, in short")
    for card, result in zip(cards, sorted(failed, key=lambda result: result.test.key)):
        facts = card.one("p", "soft")
        expected = [duration(result.duration)] if result.duration is not None else []
        expected += [counted(len(result.attempts), "attempt")] if len(result.attempts) > 1 else []
        if expected and " · ".join(expected) not in facts.words:
            page.finding(f"{result.test.identity}: {facts.words!r} does not say {' · '.join(expected)!r}")
        cause = causes.get(result.test.key)
        said = why.sentence(it, result, cause) if cause else why.origin(it, result)
        if said and plain(said) not in facts.words:
            page.finding(f"{result.test.identity}: {facts.words!r} does not say {said!r}")
        page.explain(facts.every_text())
        said_of(page, card, result)
        excerpt(page, card, it)
        for text in card.every_text():
            if not text.is_explained and text.parent.tag in ("p", "bdi", "a", "code", "span", "h3", "summary", "pre"):
                page.explain([text])
    for table in page.main.all("article"):
        excerpt(page, table, it)


def said_of(page, card, result) -> None:
    """What a failed test said, and where: every issue of the store that has a place has it on its card."""
    places = [f"{issue['path']}:{issue['line']}" for issue in result.issues if issue["path"] and not issue["is_warning"]]
    for link in card.all("a", "place"):
        if link.words not in places:
            page.finding(f"{result.test.identity}: it is said to fail at {link.words}, but by the store at {' and '.join(places) or 'no place'}")
        elif not link.href.endswith(f"#L{link.words.rsplit(':', 1)[1]}"):
            page.finding(f"{result.test.identity}: {link.words} leads to {link.href}")
    for row in result.run.store.all("SELECT name, bytes FROM attachment WHERE run = ? AND test = ?", result.run.row, result.test.row):
        if f"{row['name']} {words.size(row['bytes'])}" not in card.words:
            page.finding(f"{result.test.identity} does not say that {row['name']} has {words.size(row['bytes'])}")


def excerpt(page, card, it: Run) -> None:
    """Lines of a source, as the run kept it, with their numbers."""
    for table in card.all("table", "excerpt"):
        link = table.one("a").href
        path = re.search(r"path=([^#&]*)", link)
        lines = source_lines(it, unquote(path.group(1))) if path else None
        for row in table.all("tr"):
            number, _, code = row.all("td")
            if lines is not None:
                page.says(code, lines[int(number.words) - 1], f"line {number.words} of an excerpt")
            page.explain(number.every_text())


def how(page, it: Run, steps: list) -> None:
    """How it was run: steps, facts and the policy, which are texts of the store, but for the numbers of the policy."""
    rows = page.rows(page.main.one("table", "steps"))
    page.equal(len(rows), len(steps), "how many steps it had")
    for cells, step in zip(rows, steps):
        page.says(cells[2], duration(step["duration"]), f"the time of {step['kind']}")
        end = f"exit {step['exited']}" if step["exited"] is not None else f"signal {step['signaled']}"
        page.says(cells[3], end + (", time limit" if step["is_timed_out"] else ""), f"the end of {step['kind']}")
        page.explain(cells[1].every_text())
    facts, known = page.main.one("dl", "facts"), stored_facts(it)
    for name, value in zip(facts.all("dt"), facts.all("dd")):
        if name.words in known:
            page.says(value, known[name.words], f"the fact {name.words}")
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
    if found := re.match(r"Swift version (\S+)", known.get("Compiler", "")):
        page.equal(f"Swift {found.group(1)}" in [each.words for each in head.all("span")], True, f"the version of Swift in {head.words!r}")
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


def stored_facts(it: Run) -> dict:
    """What the store has of the machine and the toolchain of a run, and its policy in a sentence, as far as it has numbers."""
    machine, toolchain = (json.loads(it.store.content(it.columns[name])) if it.columns[name] else None for name in ("machine", "toolchain"))
    found = {"Policy": policy_words(it.verdict.policy)}
    if machine:
        found["Machine"] = f"{machine['processor']}, {counted(machine['cores'], 'core')}"
    if toolchain:
        found |= {"Compiler": toolchain["swiftVersion"], "Coverage by": toolchain["llvmVersion"], "Target": toolchain["target"]}
    return found


def policy_words(policy: dict) -> str:
    """A policy in a sentence: `VideoKit lines ≥ 75 %; every other module lines ≥ 80 %; Flaky tests: warn`."""
    def floors(of: dict) -> str:
        return ", ".join(f"{metric}s ≥ {told.floor_words(of[metric])}" for metric in METRICS if metric in of) or "without a floor"
    modules = policy.get("modules", [])
    said = [f"{rule['pattern']} {floors(rule['floors'])}" for rule in modules]
    said.append(("every other module " if modules else "each module ") + floors(policy.get("defaultFloors", {})))
    if policy.get("quarantine"):
        said.append(f"Quarantine: {counted(len(policy['quarantine']), 'test')}")
    said.append(f"Flaky tests: {policy.get('flaky', 'warn')}")
    said += [f"Time of {rule['pattern']}: median {duration(rule['bound'])}" for rule in policy.get("budgets", [])]
    if policy.get("minimumTests"):
        said.append(f"Tests: at least {counted(policy['minimumTests'], 'test')}")
    if patch := policy.get("patch"):
        said.append(f"Changed lines: ≥ {told.floor_words(patch['line'])} from {counted(patch['minimumLines'], 'line')} on")
    said += [f"Without {each['path']}: {each.get('reason', 'none is given')}" for each in policy.get("excludes", [])]
    return "; ".join(said)
