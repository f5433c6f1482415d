"""The verdict at the head of a run's page: its sentence, and every reason with its numbers, its place and its lines to cover."""

from urllib.parse import parse_qs, urlsplit

import told
import words
from entries import METRICS, thousandths
from run_parts import excluded, of_id, state
from stored import Run
from words import counted, percent, tally

# So many files, and so many ranges of each, are offered for a reason.
CHOICES = 3


def judged(page, box, it: Run) -> None:
    """The verdict with its reasons: its sign, its numbers, and that nothing red is told as green."""
    verdict, head = it.verdict, box.one("h1")
    page.equal(head.words.startswith(f"{words.SIGNS[it.decision]} {words.WORDS[it.decision]}"), True, f"the verdict {head.words[:40]!r}")
    said = sentence(it)
    if it.is_partial:
        page.equal(head.words.startswith(said), True, f"the verdict {head.words!r}")
        page.explain(head.every_text())
    else:
        page.says(head, said, "the verdict")
    page.equal(box.one("p", "by").words.startswith(f"Exit status {verdict.status}: "), True, "the exit status")
    page.explain(box.one("p", "by").every_text())
    items = box.all("li")
    violations, gaps = verdict.body["violations"], verdict.body["gaps"]
    page.equal(len(items), len(violations) + len(gaps), "how many reasons the verdict has")
    for item, reason in zip(items, violations):
        violated(page, item, reason, it)
    for item, gap in zip(items[len(violations):], gaps):
        # What it means and what to do are texts without a number.
        page.says(item.one("code"), gap["code"], "the code of a gap")
        page.says(item.one("span", "message"), gap_words(gap), f"the gap {gap['code']}")


def gap_words(gap: dict) -> str:
    return (f" ({gap['subject']})" if gap["subject"] else "") + f": {gap['detail']}"


def sentence(it: Run) -> str:
    """The verdict in one sentence, made of the numbers of the store."""
    verdict = it.verdict
    head = f"{words.SIGNS[it.decision]} {words.WORDS[it.decision]}: "
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
        waived = sum("waiver" in change for change in (verdict.body.get("base") or {}).get("changes", []))
        said += [f"{counted(waived, 'gate change')} waived"] if waived else []
        return head + ", ".join(said + part)
    if it.decision == "undecided":
        first, *others = verdict.body["gaps"]
        return head + first["code"] + gap_words(first) + (f"; {counted(len(others), 'more gap')}" if others else "")
    if it.status == 3:
        row = it.store.one("SELECT count(*) AS errors FROM diagnostic WHERE run = ? AND severity = 'error'", it.row)
        return head + f"the build failed with {counted(row['errors'], 'error')}"
    # As many tests as failed outside of the quarantine, as many modules as are under a floor.
    blamed = sum(each["rule"] == "tests" for each in verdict.body["violations"])
    under = sum(module.is_under_any for module in verdict.modules)
    changes = sum(each["rule"] == "gate-change" for each in verdict.body["violations"])
    said = [f"{counted(blamed, 'test')} failed"] if blamed else []
    said += [f"{counted(under, 'module')} under {'its floor' if under == 1 else 'their floors'}"] if under else []
    said += [told.BROKEN["patch"]] if any(each["rule"] == "patch" for each in verdict.body["violations"]) else []
    said += [f"{counted(changes, 'gate change')} without a waiver"] if changes else []
    return head + ", ".join(said + part)


def violated(page, item, violation: dict, it: Run) -> None:
    """One rule that is violated."""
    title, coverage, message = violation["title"], violation.get("coverage"), violation.get("message")
    result = of_id(it, violation["subject"]["test"]["_0"]) if "test" in violation["subject"] else None
    what = f"the reason {title!r}"
    if result:
        title = result.test.identity + (f" “{result.title}”" if result.title else "")
    page.says(item.one("a"), title, f"{what}: what it is about")
    said, hint = violation["reason"], violation.get("hint")
    if coverage:
        said, hint = coverage_words(page, violation, it)
    page.says(item.one("span", "message"), said, what)
    if message:
        place = message.get("location")
        if result:
            issue = next(each for each in result.issues if not each["is_known"] and not each["is_warning"])
            page.equal((message["text"], place and (place["path"], place["line"])),
                       (issue["message"], (issue["path"], issue["line"]) if issue["path"] else None), f"{what}: what its test said")
        if place:
            page.says(item.one("a", "place"), f"{place['path']}:{place['line']}", f"{what}: its place")
            leads_to(page, item.one("a", "place"), place["path"], place["line"], it)
        page.says(item.one("span", "said"), message["text"] if len(message["text"]) <= 300 else message["text"][:300] + " …",
                  f"{what}: what was said")
    if not hint:
        page.equal(item.one("span", "fix") is None, True, f"{what} has no fix")
        return
    choices = item.all("span", "choice")
    listed = [(path, each) for path, ranges in (missed(violation, it)[:CHOICES] if coverage else []) for each in ranges[:CHOICES]]
    is_cut = coverage and (len(coverage["files"]) > CHOICES or any(len(ranges) > CHOICES for _, ranges in missed(violation, it)[:CHOICES]))
    page.equal(len(choices), len(listed) + bool(is_cut), f"{what}: how many choices of lines there are")
    for choice, (path, lines) in zip(choices, listed):
        page.says(choice, f"{path.rsplit('/', 1)[-1]}:{words.lines(*lines)}", f"{what}: lines to cover")
        leads_to(page, choice.one("a"), path, lines[0], it)
    page.says(item.one("span", "fix"), " ".join([hint, *(choice.words for choice in choices)]), f"{what}: its fix")


def leads_to(page, link, path: str, line: int, it: Run) -> None:
    """Expects a link to a line of a source."""
    parts = urlsplit(link.href)
    page.equal((parts.path, parse_qs(parts.query)["path"], parts.fragment), (f"/runs/{it.id}/source", [path], f"L{line}"),
               f"where {link.words!r} leads")


def missed(violation: dict, it: Run) -> list:
    """The files with lines that were missed, each with its ranges, those with the most of them first."""
    if "change" in violation["subject"]:
        found = [(file["path"], [tuple(each) for each in file["missed"]], file["tally"]["total"] - file["tally"]["covered"])
                 for file in it.verdict.body["change"]["files"]]
    else:
        name = violation["subject"]["module"]["_0"]
        found = [(file.path, file.missed_ranges, file.tally[1] - file.tally[0]) for file in it.files
                 if file.module == name and not excluded(it, file.path)]
    return [(path, ranges) for path, ranges, count in sorted(found, key=lambda each: (-each[2], each[0].encode())) if count]


def coverage_words(page, violation: dict, it: Run) -> tuple:
    """What is said of a floor that is not reached, and of its fix, by the numbers of the module or of the change."""
    coverage, title = violation["coverage"], violation["title"]
    if "change" in violation["subject"]:
        lines = it.verdict.body["change"]["lines"]
        covered, of_all, floor, kind = lines["covered"], lines["total"], it.verdict.policy["patch"]["line"], "changed lines"
    else:
        module = it.verdict.module(violation["subject"]["module"]["_0"])
        (covered, of_all), floor = module.tallies[coverage["metric"]], module.floors[coverage["metric"]]
        kind = f"{coverage['metric']}s"
        page.equal(coverage["metric"] in METRICS and module.is_under(coverage["metric"]), True, f"{title} is under its floor")
    needed = -(-thousandths(floor) * of_all // 100_000) - covered
    page.equal((coverage["tally"]["covered"], coverage["tally"]["total"]), (covered, of_all), f"the lines of {title} in the reason")
    page.equal(coverage["shortfall"], needed, f"how many lines {title} is short of")
    page.equal(sum(file["missed"] for file in coverage["files"]), of_all - covered, f"how many lines {title} misses")
    page.equal([(file["path"], [tuple(each) for each in file["ranges"]]) for file in coverage["files"]], missed(violation, it),
               f"which lines {title} misses")
    return (f"{coverage['metric']} coverage {percent(covered, of_all)} < {told.floor_words(floor)}: {tally(covered, of_all)} {kind}.",
            f"Cover any {needed:,} of these {of_all - covered:,} lines:")
