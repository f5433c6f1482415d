"""The dashboard over the demo history: every kind of page, valid, the same without JavaScript, and passable by keyboard alone."""

import contextlib
import json
import pathlib
import re
import subprocess
import typing
import urllib.error
import urllib.parse
import urllib.request

import html5lib
from playwright.sync_api import Browser

PROJECT = "project=example.com/video-kit"
TEST = "&module=VideoKitTests&suite=VideoInfoTests&name=" + urllib.parse.quote("test_異常系_thumbnailのURLがnil")
# The way from the first page to a line that no test covers: what the link leads to, one page after the other.
WAY = ["/runs/", "/source?path=Sources/"]


@contextlib.contextmanager
def demo(kanmon: pathlib.Path) -> typing.Iterator[str]:
    """The address of a demo that is served as long as this lasts."""
    server = subprocess.Popen([kanmon, "demo", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        for line in server.stderr:
            if found := re.search(r"serving on (http://\S+?)/?$", line.strip()):
                yield found.group(1)
                return
        raise SystemExit("kanmon demo ended before it served anything")
    finally:
        server.terminate()
        server.wait(timeout=30)


def addresses(start: str) -> dict:
    """Every kind of page, by the name of its picture."""
    runs = json.load(urllib.request.urlopen(f"{start}/runs.json?{PROJECT}"))["data"]
    latest, earlier = runs[0]["id"], next(run["id"] for run in runs if run["decision"] == "passed")
    undecided = next(run["id"] for run in runs if run["decision"] == "undecided")
    pages = {
        "home": "/", "project": f"/project?{PROJECT}", "runs": f"/runs?{PROJECT}", "all-runs": "/runs",
        "run": f"/runs/{latest}", "run-passed": f"/runs/{earlier}", "run-undecided": f"/runs/{undecided}",
        "tests": f"/runs/{latest}/tests?target=VideoKitTests",
        "source": f"/runs/{latest}/source?path=Sources/ThumbnailKit/Thumbnail.swift",
        "coverage": f"/runs/{latest}/coverage", "module": f"/runs/{latest}/coverage?module=ThumbnailKit",
        "policy": f"/runs/{latest}/policy", "what-if": f"/runs/{latest}/policy?line=90", "test": f"/test?{PROJECT}{TEST}", "compare": f"/compare?before={earlier}&after={latest}",
        "search": "/search?q=thumbnail", "search-nothing": "/search?q=nowhere", "missing": "/nothing",
    }
    pages |= {name: f"/{name}?{PROJECT}" for name in ("flaky", "slow", "quarantine", "known-issues", "exclusions")}
    return {name: start + path for name, path in pages.items()}


def invalid(address: str) -> list:
    """What a strict reader of HTML finds wrong with a page."""
    try:
        text = urllib.request.urlopen(address).read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
    parser = html5lib.HTMLParser()
    parser.parse(text)
    return [f"line {line}, column {column}: {code} {detail}" for (line, column), code, detail in parser.errors]


def picture(browser: Browser, address: str, has_script: bool) -> bytes:
    with contextlib.closing(browser.new_context(java_script_enabled=has_script)) as context:
        page = context.new_page()
        page.goto(address)
        return page.screenshot(full_page=True)


def tab_to(page, part: str) -> bool:
    """Presses Tab until the link in focus leads where `part` says; False when it was never there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if part in page.evaluate("document.activeElement.getAttribute('href') ?? ''"):
            return True
    return False


def by_keyboard(browser: Browser, start: str) -> list:
    """Whether Tab and Enter alone lead from the first page to a line that no test covers."""
    page = browser.new_page()
    page.goto(start)
    for part in WAY:
        if not tab_to(page, part):
            return [f"no way by keyboard from {page.url} to a link with {part}"]
        with page.expect_navigation():
            page.keyboard.press("Enter")
    if page.locator("tr.missed:target").count() != 1:
        return [f"{page.url}: the line that is meant is not shown as missed"]
    return []


def check(browser: Browser, start: str) -> list:
    """What is wrong beyond what every page is asked."""
    findings = []
    for name, address in addresses(start).items():
        findings += [f"{name}: invalid HTML: {words}" for words in invalid(address)]
        if picture(browser, address, True) != picture(browser, address, False):
            findings.append(f"{name}: it looks different without JavaScript")
    return findings + by_keyboard(browser, start)
