"""Opens pages in Chromium and looks for faults, for scripts/check-pages."""

import contextlib
import json
import pathlib
import subprocess
import tempfile
import time
import typing
import urllib.parse

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

import dashboard
import hostile
import questions
import tools
from server import serving
from serving import JENKINS, Site, served

ROOT = tools.ROOT
RUNS = ROOT / "Tests/KanmonTests/Runs"
WAYS = [(width, scheme) for width in (360, 1440) for scheme in ("light", "dark")]
# The text of a page with all details unfolded, the positions of its elements, and their colors.
LOOK = """() => {
    for (const details of document.querySelectorAll('details')) { details.setAttribute('open', '') }
    const boxes = [...document.body.querySelectorAll('*')].map(element => {
        const box = element.getBoundingClientRect(), style = getComputedStyle(element)
        return [element.localName, box.x, box.y, box.width, box.height, style.color, style.backgroundColor, style.fill]
    })
    return {text: document.body.innerText, boxes: JSON.stringify(boxes), missing: [...document.querySelectorAll('a[href*="#"]')]
        .map(a => new URL(a.getAttribute('href'), location)).filter(a => a.pathname == location.pathname && a.search == location.search && a.hash.length > 1)
        .map(a => decodeURIComponent(a.hash.slice(1))).filter(id => !document.getElementById(id))}
}"""
# Content outside of the window: a page that scrolls sideways, or words that are cut off without a way to scroll.
OUTSIDE = """() => {
    const width = document.documentElement.clientWidth, found = []
    if (document.documentElement.scrollWidth > width) { found.push('the page is ' + document.documentElement.scrollWidth + ' wide') }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement
        if (!texts.currentNode.data.trim() || parent.closest('.hidden, .skip')) { continue }
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const box = range.getBoundingClientRect()
        if (box.width == 0 && box.height == 0 && parent.checkVisibility()) { found.push('no room for: ' + texts.currentNode.data.trim()) }
        for (let around = parent; around && box.width > 0; around = around.parentElement) {
            const style = getComputedStyle(around), edge = around.getBoundingClientRect()
            if (['hidden', 'clip'].includes(style.overflowX) && box.right > edge.right + 1) {
                found.push('cut off: ' + texts.currentNode.data.trim())
            }
        }
    }
    return found
}"""
# None of these works in a sandbox.
POWERLESS = "script, style, [style], form, iframe, object, embed, [target], [onclick]"


class Tab:
    """A tab of the browser, with the errors since they were last read."""

    def __init__(self, browser: Browser):
        self.complaints = []
        self.page: Page = browser.new_page()
        self.page.on("console", self.note_console)
        # A request that is cancelled because the tab opens another page is not a failure.
        self.page.on("requestfailed", lambda request: request.failure == "net::ERR_ABORTED"
                     or self.complaints.append(f"not loaded: {request.url}"))
        self.page.on("response", lambda answer: answer.status < 400 or self.complaints.append(f"{answer.status}: {answer.url}"))
        session = self.page.context.new_cdp_session(self.page)
        session.on("Audits.issueAdded", self.note_issue)
        session.send("Audits.enable")

    def open(self, address: str):
        self.complaints.clear()
        self.page.goto(address, wait_until="load")

    def show(self, width: int, scheme: str):
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)

    def note_console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"console: {message.text}")

    def note_issue(self, event):
        if event["issue"]["code"] == "ContentSecurityPolicyIssue":
            details = event["issue"]["details"]["contentSecurityPolicyIssueDetails"]
            self.complaints.append(f"Content-Security-Policy: {details['violatedDirective']}")


class Walk:
    """A walk through the pages of a site."""

    def __init__(self, browser: Browser, site: Site, shots: typing.Optional[pathlib.Path] = None):
        self.site = site
        self.shots = shots
        self.tab = Tab(browser)
        # A sandbox stops axe too, so axe checks the same page without one; both must look the same.
        self.free = Tab(browser) if site.plain else self.tab
        self.seen = 0
        self.left = 0
        self.findings = []

    def go(self, most: int, ways=WAYS) -> "Walk":
        waiting, known = [self.site.start], {self.site.start}
        while waiting and self.seen < most:
            address = waiting.pop(0)
            self.look(address, ways)
            self.seen += 1
            for link in self.links(address):
                if link not in known:
                    known.add(link)
                    waiting.append(link)
        self.left = len(waiting)
        for tab in {self.tab, self.free}:
            tab.page.close()
        return self

    def links(self, address: str) -> list:
        """The pages that the page here links to, without their fragments: no pictures, no feeds, nothing of another server."""
        hrefs = self.tab.page.locator("a[href]").evaluate_all(
            # A link in an SVG has an object as its address.
            "all => all.map(a => new URL(a.getAttribute('href'), location).href)")
        host = urllib.parse.urlsplit(address).netloc
        links = [urllib.parse.urlsplit(href)._replace(fragment="") for href in hrefs]
        return [link.geturl() for link in links
                if link.netloc == host and pathlib.PurePosixPath(link.path).suffix in ("", ".html")]

    def look(self, address: str, ways):
        here = urllib.parse.urlsplit(address)._replace(scheme="", netloc="").geturl()
        note = lambda words: self.findings.append(f"{self.site.name}{here}: {words}")
        self.tab.open(address)
        if self.site.plain:
            self.free.open(urllib.parse.urljoin(self.site.plain, here.lstrip("/")))
            if count := self.tab.page.locator(POWERLESS).count():
                note(f"{count} elements that a sandbox takes the power from")
        for width, scheme in ways:
            tell = lambda words: note(f"{width} px, {scheme}: {words}")
            self.tab.show(width, scheme)
            strict = self.tab.page.evaluate(LOOK)
            if self.site.plain:
                self.free.show(width, scheme)
                free = self.free.page.evaluate(LOOK)
                for part, words in [("text", "the text differs without the policy"), ("boxes", "it looks different without the policy")]:
                    if strict[part] != free[part]:
                        tell(words)
            for words in self.free.page.evaluate(OUTSIDE):
                tell(words)
            for violation in Axe().run(self.free.page).response["violations"]:
                if violation["impact"] in ("serious", "critical"):
                    tell(f"axe: {violation['id']}: {violation['nodes'][0]['html'][:200]}")
            if self.shots:
                name = self.site.name if self.site.plain is None and "/" not in self.site.name else f"{self.site.name}{here}"
                name = name.replace("/", "-").replace("?", "-")[:180]
                self.free.page.screenshot(path=self.shots / f"{name}-{width}-{scheme}.png", full_page=True)
        for name in sorted(set(strict["missing"])):
            note(f"nothing has the name #{name}")
        for words in dict.fromkeys(self.tab.complaints):
            note(words)


def reports(kanmon: pathlib.Path, folder: pathlib.Path) -> typing.Iterator[pathlib.Path]:
    """The static report of every recorded run; those that were stored before are its history."""
    home = folder / "home"
    for run in sorted(path for path in RUNS.iterdir() if (path / "manifest.json").exists()):
        subprocess.run([kanmon, "ingest", run, "--home", home, "--exit-zero"], check=True, capture_output=True)
        out = folder / run.name
        identifier = json.loads((run / "manifest.json").read_text())["runID"]
        subprocess.run([kanmon, "report", "--home", home, identifier, "--format", "html", "--out", out],
                       check=True, capture_output=True)
        yield out


# Each of these faults must be detected on a page that has it; otherwise the checks below prove nothing.
WRONG = {
    "Content-Security-Policy: style-src-elem": "<style>p { color: red }</style>",
    "Content-Security-Policy: img-src": '<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    "/gone.svg": '<img alt="gone" src="gone.svg">',
    "nothing has the name #nowhere": '<a href="#nowhere">Nowhere</a>',
    "elements that a sandbox takes the power from": '<form action="/"><button>Send</button></form>',
    "it looks different without the policy": '<p style="width: 3em">Narrow</p>',
    "the page is ": '<table width="2000"><tr><td>Wide</td></tr></table>',
    "cut off: ": '<svg width="10" height="10"></svg><link rel="stylesheet" href="cut.css"><p class="cut">Words without an end</p>',
    "axe: color-contrast": '<p><font color="#dddddd">Faint</font></p>',
    "axe: image-alt": '<img src="index.html">',
}


def check_itself(browser: Browser, folder: pathlib.Path) -> list:
    (folder / "cut.css").write_text(".cut { width: 2em; overflow: hidden; white-space: nowrap }")
    (folder / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    missed = []
    for words, element in WRONG.items():
        (folder / "index.html").write_text(
            f'<!doctype html><html lang="en"><head><title>Wrong</title><link rel="icon" href="icon.svg"></head><body><main><h1>Wrong</h1>{element}</main></body></html>')
        with served(folder, JENKINS) as start, served(folder) as plain:
            findings = Walk(browser, Site("wrong", start, plain)).go(most=1, ways=WAYS[:1]).findings
        if not any(words in finding for finding in findings):
            missed.append(f"a page that is wrong on purpose, with {element}: not found, but {findings}")
    return missed


def check(kanmon: str, options) -> int:
    """Prints a line for each site; returns the exit status."""
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    failures = 0
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "wrong").mkdir()
        for missed in check_itself(browser, folder / "wrong"):
            failures += 1
            print(f"FAILED  {missed}")
        if options.hostile:
            findings = hostile.check(browser, Tab, kanmon, folder, min(options.most, len(hostile.HOSTILE)))
            for finding in findings:
                failures += 1
                print(f"FAILED  {finding}")
            sites = []
        elif options.demo:
            shown = stack.enter_context(dashboard.demo(kanmon))
            for finding in dashboard.check(browser, shown):
                failures += 1
                print(f"FAILED  {finding}")
            sites = [Site(name, address) for name, address in dashboard.addresses(shown).items() if name != "missing"]
            closed = stack.enter_context(dashboard.closed(kanmon))
            for finding in dashboard.signing_in(browser, closed) + questions.check(
                    browser, shown.start, shown.home, questions.DEMO_NOW, must_ask_all=True)[0]:
                failures += 1
                print(f"FAILED  {finding}")
            sites.append(Site("sign-in", f"{closed.start}/sign-in"))
        elif options.home:
            server = stack.enter_context(serving(kanmon, "serve", "--home", options.home))
            findings, asked = questions.check(browser, server.address, options.home, time.time())
            for finding in findings:
                failures += 1
                print(f"FAILED  {finding}")
            if not asked:
                print("check-pages: the store has nothing to ask for")
                return 2
            sites = []
        elif options.addresses:
            sites = [Site(address.rstrip("/"), address) for address in options.addresses]
        else:
            sites = [
                Site(out.name, stack.enter_context(served(out, JENKINS)) + "index.html", stack.enter_context(served(out)))
                for out in reports(kanmon, folder)
            ]
        for site in sites:
            # The demo has a list of every kind of page, so its links are not followed.
            walk = Walk(browser, site, options.shots).go(1 if options.demo else options.most)
            for finding in walk.findings:
                print(f"FAILED  {finding}")
            failures += len(walk.findings)
            rest = f"; {walk.left} more are linked" if walk.left and not options.demo else ""
            print(f"{'wrong' if walk.findings else 'ok':<7} {site.name}: {walk.seen} pages, {len(walk.findings)} findings{rest}", flush=True)
        browser.close()
    well = "no violated policy, all readable, no serious finding of axe"
    if options.hostile or options.home:
        well = "hostile text stays text" if options.hostile else "the answers are there"
    print(f"check-pages: {failures} findings" if failures else f"check-pages: {well}")
    return 1 if failures else 0

