"""Twelve questions of a reviewer with a browser: each is answered by what stands on a page, at most two clicks away, and without hovering.

What has to stand there is computed from the tables of the store, as scripts/check-numbers reads them, and never taken from a page. A click
is on a link that can be seen, found by its words.
"""

import datetime
import json
import pathlib
import sys
import typing
import urllib.parse

from playwright.sync_api import Browser, Page, TimeoutError

import tools

sys.path.append(str(tools.ROOT / "scripts" / "check-numbers.d"))

import flakes
import run_parts
import testmap
import told
import watched
import why
import words
from page import plain
from stored import Store

# 2026-03-02 09:00 UTC, the moment at which the demo stands still.
DEMO_NOW = 1_772_442_000
MOST_CLICKS = 2
# So much of a long text is looked for.
LONGEST = 120
# The first link in a part of a page whose words are these, or -1; what cannot be seen is no link.
FIND = """(links, words) => links.findIndex(link =>
    link.checkVisibility() && (link.innerText ?? '').replace(/\\s+/g, ' ').trim() === words)"""
# What can be read of some elements: neither titles, which appear where a mouse rests, nor what is folded up.
READ = "parts => parts.filter(part => part.checkVisibility()).map(part => part.innerText)"


class Click(typing.NamedTuple):
    """A link by its words, and the part of the page that has it."""

    words: str
    within: str = "main"


class Question(typing.NamedTuple):
    """What a reviewer asks, the page that is open, the way from there, and what one of some elements has to say then."""

    words: str
    start: str
    clicks: list
    place: str
    answer: list


def quoted(text: str) -> str:
    """A text as a string of CSS."""
    return json.dumps(text, ensure_ascii=False)


def below(title: str) -> str:
    """The rows of the table below a heading."""
    return f"section:has(h2:has-text({quoted(title)})) tbody tr"


def to_verdict(project: str, verdict) -> Click:
    """The verdict on a project, on the first page."""
    return Click(told.short_verdict(verdict.run, verdict), f"main tr:has(a:has-text({quoted(project)}))")


def blocked(store: Store) -> list:
    """The projects whose default branch is blocked, with the verdict."""
    found = [(project, store.state(project)[1]) for project in store.projects.values()]
    return [(project, verdict) for project, verdict in found if verdict and verdict.decision == "failed"]


# --- The questions: each is asked of the first project of which there is something to tell ------------------------------------

def flakiest(store: Store, now: float) -> Question | None:
    """Which test is the flakiest?"""
    for project in store.projects.values():
        if rows := watched.flaky_tests(store, project, now):
            figures = flakes.figures(store, project, now)
            # A test that is broken is not flaky any more.
            test, _, _, failures, executions, *_ = min(rows, key=lambda row: (
                figures[row[0]][0] is not None, -row[1], -row[2], -row[3] - row[5], row[0].key))
            return Question(flakiest.__doc__, "/", [Click(project), Click("Flaky tests")], "main table.sheet tbody tr:first-child",
                            [test.identity, f"{failures:,} of {executions:,}"])
    return None


def why_blocked(store: Store, _now: float) -> Question | None:
    """Why is it blocked?"""
    for project, verdict in blocked(store):
        reasons = [text[:LONGEST] for each in verdict.body["violations"][:5]
                   for text in (each["title"], each["reason"], (each.get("message") or {}).get("text")) if text]
        if reasons:
            return Question(why_blocked.__doc__, "/", [to_verdict(project, verdict)], "section.verdict", reasons)
    return None


def last_fall(store: Store) -> tuple | None:
    """The project, the module that lost coverage last, the run with which it did, and by how many points."""
    for project in store.projects.values():
        branch, verdict = store.state(project)
        states, falls = store.states(project, branch)[:100], []
        for module in verdict.modules if verdict else []:
            having = [(place, state) for place, state in enumerate(states)
                      if state.module(module.name) and state.module(module.name).unmeasurable is None]
            for (place, after), (_, before) in zip(having, having[1:]):
                points = words.points(before.module(module.name).lines, after.module(module.name).lines)
                if points.startswith("−"):
                    falls.append((place, module.name, after.run, points))
                    break
        if falls:
            _, name, run, points = min(falls, key=lambda fall: fall[:2])
            return project, name, run, points
    return None


def which_module(store: Store, _now: float) -> Question | None:
    """Which module sank?"""
    if (fall := last_fall(store)) is None:
        return None
    project, name, _, points = fall
    return Question(which_module.__doc__, "/", [Click(project)], below("Modules over"), [name, f"{points} points"])


def which_commit(store: Store, _now: float) -> Question | None:
    """By which commit did it sink?"""
    if (fall := last_fall(store)) is None or fall[2].commit_id is None:
        return None
    project, name, run, _ = fall
    return Question(which_commit.__doc__, "/", [Click(project)], below("Modules over"),
                    [name, run.commit_id[:8], run.author or "", (run.subject or "")[:LONGEST]])


def who_broke(store: Store, _now: float) -> Question | None:
    """Who broke the default branch?"""
    for project in store.projects.values():
        for result, first, passed in told.failing(store, project, store.state(project)[0]):
            if passed and first.commit_id and first.author:
                return Question(who_broke.__doc__, "/", [], below("Failing on default branches"),
                                [result.test.identity, first.commit_id[:8], first.author, (first.subject or "")[:LONGEST]])
    return None


def what_is_slow(store: Store, _now: float) -> Question | None:
    """What is slow?"""
    for project in store.projects.values():
        newest = sorted(store.states(project), key=lambda verdict: (verdict.run.started_at, verdict.run.id), reverse=True)
        timed = [result for result in newest[0].run.results if result.duration is not None] if newest else []
        if timed:
            slowest = min(timed, key=lambda result: (-result.duration, result.test.key))
            return Question(what_is_slow.__doc__, "/", [Click(project), Click("Slow tests")], "main table.sheet tbody tr:first-child",
                            [slowest.test.identity, words.duration(slowest.duration)])
    return None


def who_tests(store: Store, _now: float) -> Question | None:
    """Who tests this line?"""
    for project in store.projects.values():
        whole = [run for run in store.of_project(project) if run.lines and run.lines[1] and not run.is_partial]
        run = next((run for run in whole if run.is_exact), next(iter(whole), None))
        if run is None or run.columns["test_map"] is None:
            continue
        lines: dict = {}
        for path, functions in testmap.read(store, run)[1].items():
            for _, _, _, _, parts in functions if run_parts.source_lines(run, path) else []:
                for begin, end, (rows, _) in parts:
                    for line in range(begin, end + 1):
                        lines.setdefault((path, line), set()).update(rows)
        if told_lines := [(len(rows), path, line, rows) for (path, line), rows in lines.items() if rows]:
            count, path, line, rows = min(told_lines, key=lambda each: each[:3])
            # A reviewer has the name of the file, and types it into the search.
            start = "/search?q=" + urllib.parse.quote(path.rsplit("/", 1)[-1])
            file = f"section:has(h2:has-text(\"Files\")) tr:has-text({quoted(project)})"
            return Question(who_tests.__doc__, start, [Click(path, file), Click(f"{count:,}", f'tr[id="L{line}"] td.tests')], "main",
                            [f"{path}:{line}", *sorted(store.tests[row].identity for row in rows)])
    return None


def asked_for_causes(store: Store) -> typing.Iterator:
    """The newest verdicts of branches whose failures somebody has looked into."""
    for project in store.projects.values():
        for name in {run.branch for run in store.of_project(project) if run.branch}:
            states = store.states(project, name)
            if states and len(why.causes(states[0].run)) > 1 and states[0].decision == "failed":
                yield project, name, states[0].run


def is_it_mine(store: Store, _now: float) -> Question | None:
    """Is it mine? Asked of a failed test on the page of its run."""
    for _, _, run in asked_for_causes(store):
        for result, cause in why.causes(run):
            if cause["kind"] == "yours":
                return Question(is_it_mine.__doc__, f"/runs/{run.id}", [], "article.failed",
                                [result.title or result.test.name, why.sentence(run, result, cause)])
    return None


def what_is_mine(store: Store, _now: float) -> Question | None:
    """What of it is mine? Asked of what fails on a branch, on its page."""
    for project, name, run in asked_for_causes(store):
        start = "/branch?" + urllib.parse.urlencode({"project": project, "branch": name}, quote_via=urllib.parse.quote)
        return Question(what_is_mine.__doc__, start, [], "section:has(h2:has-text(\"What the gate says\"))", [why.in_short(run)])
    return None


def mine_or_red(store: Store, _now: float) -> Question | None:
    """Is it mine, or was it red already?"""
    for project, verdict in blocked(store):
        for result in verdict.run.results:
            if result.is_failure and (said := why.origin(verdict.run, result)):
                return Question(mine_or_red.__doc__, "/", [to_verdict(project, verdict)], "article.failed",
                                [result.title or result.test.name, said])
    return None


def who_owns(store: Store, now: float) -> Question | None:
    """Who owns the flaky test?"""
    for project in store.projects.values():
        owners = watched.quarantined(store, project)
        for test, *_ in watched.flaky_tests(store, project, now):
            if test.identity in owners:
                return Question(who_owns.__doc__, "/", [Click(project), Click("Flaky tests")], "main table.sheet tbody tr",
                                [test.identity, owners[test.identity]])
    return None


def what_expires(store: Store, now: float) -> Question | None:
    """What expires next?"""
    today = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).date()
    for project in store.projects.values():
        verdict = store.state(project)[1]
        body = verdict.body if verdict else {}
        ends = [(each["waiver"]["until"], each["waiver"]["subject"]) for each in (body.get("base") or {}).get("waivers", [])
                if each["state"] in ("used", "standing")]
        ends += [(each["entry"]["expires"], each["entry"]["test"]) for each in body.get("quarantine", [])]
        if ends:
            day, name = min(ends)
            days = (datetime.date.fromisoformat(day) - today).days
            left = "is over" if days < 0 else "today" if days == 0 else f"{words.counted(days, 'day')} left"
            return Question(what_expires.__doc__, "/", [Click(project), Click("Exceptions")], "main section tbody tr", [name, day, left])
    return None


QUESTIONS = [flakiest, why_blocked, which_module, which_commit, who_broke, what_is_slow, who_tests, is_it_mine, what_is_mine, mine_or_red,
             who_owns, what_expires]


# --- Asking -------------------------------------------------------------------------------------------------------------------

def ask(page: Page, server: str, question: Question) -> list:
    """Goes the way of a question; what keeps a reader from its answer."""
    if len(question.clicks) > MOST_CLICKS:
        return [f"{question.words} {len(question.clicks)} clicks are too many"]
    page.goto(server + question.start)
    for click in question.clicks:
        place = page.locator(f"{click.within} a")
        index = place.evaluate_all(FIND, " ".join(click.words.split()))
        if index < 0:
            return [f"{question.words} {page.url} has no link {click.words!r} that can be seen"]
        try:
            with page.expect_navigation(timeout=15000):
                place.nth(index).click(timeout=15000)
        except TimeoutError:
            return [f"{question.words} {page.url}: the link {click.words!r} leads nowhere"]
    texts = [plain(text) for text in page.locator(question.place).evaluate_all(READ)]
    wanted = [plain(text) for text in question.answer]
    if any(all(text in found for text in wanted) for found in texts):
        return []
    missing = [text for text in wanted if not any(text in found for found in texts)]
    return [f"{question.words} {page.url} does not say {missing or wanted} in one place, but {[text[:200] for text in texts[:3]]}"]


def checked(page: Page, server: str, question: Question) -> list:
    """Whether asking notices an answer that is wrong, a link that is not there, and a way that is too long."""
    wrong = [question._replace(answer=["nothing says this"]), question._replace(clicks=[Click("no link says this")]),
             question._replace(clicks=[Click("Projects")] * (MOST_CLICKS + 1)), question._replace(place="footer")]
    return [f"not noticed: {each}" for each in wrong if not ask(page, server, each)]


def check(browser: Browser, server: str, home: pathlib.Path, now: float, must_ask_all: bool = False) -> tuple:
    """Asks every question of which the store has something to tell: the findings, and how many questions were asked.

    Parameters: the moment that pages refer to in seconds, and whether a question that cannot be asked is a finding.
    """
    store, findings, asked = Store(home), [], 0
    page = browser.new_page()
    for make in QUESTIONS:
        question = make(store, now)
        if question is None:
            print(f"{'FAILED' if must_ask_all else '-':<7} {make.__doc__} The store has nothing to tell of it", flush=True)
            findings += [f"{make.__doc__} cannot be asked"] if must_ask_all else []
            continue
        found = ask(page, server, question) + (checked(page, server, question) if not asked else [])
        asked += 1
        findings += found
        print(f"{'wrong' if found else 'ok':<7} {question.words} {words.counted(len(question.clicks), 'click')}", flush=True)
    page.close()
    return findings, asked
