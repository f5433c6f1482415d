"""The kinds of pages, the rules of each, and the texts of the store that need no rule."""

import functools
import json
import re
from urllib.parse import urlsplit

import data
import histories
import live
import projects
import run_changes
import run_coverage
import run_overview
import run_pages
import told
import watched
import words
from page import plain
from stored import Store

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
# Addresses that no page links to.
UNLINKED = ("/metrics", "/index.json", "/runs.json", "/runs?verdict=undecided", "/runs?verdict=failed&since=2026-02-20", "/?verdict=passed",
            "/index.json?verdict=failed&sort=name&order=desc", "/exceptions?project=example.com/video-kit&owner=@network&sort=expires",
            "/selection?project=example.com/video-kit&kind=green&sort=tests&order=desc",
            "/flaky?project=example.com/video-kit&kind=flaky&sort=rate&order=desc")
# What is no page, or another page under a second address.
LEFT_OUT = {"/assets", "/p", "/evidence?file"}

RULES = {
    "/": projects.home, "/wall": projects.wall, "/machines": projects.machines, "/project": projects.project, "/branch": projects.branch,
    "/runs": histories.runs, "/flaky": watched.flaky, "/slow": watched.slow, "/selection": watched.selection, "/test": histories.test,
    "/unverified": watched.unverified, "/known-issues": watched.known_issues, "/exceptions": watched.exceptions,
    "/owners": watched.owners,
    "/exclusions": watched.exclusions, "/search": histories.search,
    "/run": run_overview.run, "/compare": run_changes.compare, "/run/coverage": run_coverage.coverage, "/run/policy": run_pages.policy,
    "/run/evidence": run_pages.evidence, "/run/tests": run_pages.tests, "/run/source": run_coverage.source, "/run/who": run_coverage.who,
    "/run/live": live.its_page,
    "/badge.svg": data.badge, "/regressions.atom": data.feed, "/metrics": data.metrics, "/data": data.data,
}


def of(address: str) -> str:
    """The kind of page at an address."""
    path = urlsplit(address).path
    if path.startswith("/assets"):
        return "/assets"
    if path.startswith("/p/"):
        return "/p"
    if path.endswith(".json"):
        return "/data"
    if path.endswith("/evidence") and "file=" in address:
        return "/evidence?file"
    return ID.sub("", path).replace("/runs/", "/run/").rstrip("/").replace("/run//", "/run/") or "/"


def twin(address: str) -> str | None:
    """The address of the data of a page; `None` where it has none that is compared."""
    parts = urlsplit(address)
    if of(address) not in data.TWINS:
        return None
    path = "/index" if parts.path == "/" else parts.path
    return f"{path}.json" + (f"?{parts.query}" if parts.query else "")


@functools.cache
def texts(store: Store) -> set:
    """Texts of the store that pages quote: they may have digits in them, which say nothing of their own."""
    found = set(store.projects.values())
    for run in [*store.runs, *(verdict.run for verdict in store.verdicts)]:
        found |= {run.package, run.subject, run.author, run.branch, run.id, run.commit_id, run.tree_id, run.short, f"run {run.short}",
                  run.words, f"Tests of {run.short}"}
        for commit in filter(None, (run.commit_id, run.tree_id)):
            found |= {commit[:8], commit[:12]}
        found |= {module["name"] for module in run.manifest.get("modules", [])}
        for source in run.manifest.get("sources", []):
            found |= {source["path"], source["path"].rsplit("/", 1)[-1]}
    for test in store.tests.values():
        found |= {test.identity, test.name, test.suite, test.module, f"{test.suite}/{test.name}",
                  f"swift test --filter '^{test.module}.{test.name}"}
    for row in store.all("SELECT body FROM content WHERE length(body) < 4000"):
        try:
            found.add(row["body"].decode())
        except UnicodeDecodeError:
            continue
    for row in store.all("SELECT display_name, suite_display_name, skip_reason, tags FROM description"):
        found |= {row["display_name"], row["suite_display_name"], row["skip_reason"]}
        if row["display_name"] and row["suite_display_name"]:
            found.add(f"{row['suite_display_name']} › {row['display_name']}")
        found |= set(json.loads(row["tags"] or "[]"))
    for row in store.all("SELECT path, name FROM attachment"):
        found |= {row["path"], row["name"]}
    for row in store.all("SELECT DISTINCT path, line, utf8_column FROM issue WHERE path IS NOT NULL"):
        found.add(f"{store.text(row['path'])}:{row['line']}")
    return {plain(text) for text in found if text}


def explain_data(page, store: Store) -> None:
    """Explains what is a text of the store: names, subjects, hashes, places; and the moments at which its runs began."""
    known = texts(store)
    # The head of a page names where it is; what it says is in the page itself.
    for text in page.root.every_text():
        if text.numbers and not text.is_explained and plain(text.words).removeprefix("From ").removeprefix("To ") in known:
            page.explain([text])
    begun = {words.exact(run.began_at) for run in store.runs}
    for text in page.root.every_text():
        if not text.is_explained and text.attribute == "title" and text.words in begun:
            page.explain([text])
    for place in ("title", "nav"):
        for element in page.root.all(place):
            for text in element.every_text():
                if text.numbers and not text.is_explained and all(
                        any(number in each for each in known) for number in text.numbers):
                    page.explain([text])


def contradictions(store: Store) -> list:
    """Verdicts of the store that their own numbers contradict."""
    return [f"run {run.id}: {wrong}" for run in store.runs for wrong in told.is_consistent(run)]
