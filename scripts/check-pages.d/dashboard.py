"""The dashboard with the demo history: every kind of page is valid, looks the same without JavaScript, and works by keyboard."""

import contextlib
import json
import pathlib
import tempfile
import typing
import urllib.error
import urllib.parse
import urllib.request

import html5lib
from playwright.sync_api import Browser, TimeoutError

import surroundings
import tools
from delivering import Link, Run, new_token
from server import serving

PROJECT = "project=example.com/video-kit"
TEST = "&module=VideoKitTests&suite=VideoInfoTests&name=" + urllib.parse.quote("test_異常系_thumbnailのURLがnil")
# The way from the first page to a line that no test covers, as parts of the addresses of its links.
WAY = ["/runs/", "/source?path=Sources/"]


class Demo(typing.NamedTuple):
    """A demo that is served."""

    start: str
    home: pathlib.Path

    def signs(self) -> typing.List[pathlib.Path]:
        """The state files of the runs in progress."""
        return sorted((self.home / "running").glob("*.json"))

    def underway(self) -> str:
        """The id of the run that never ends."""
        return self.signs()[0].stem


@contextlib.contextmanager
def demo(kanmon: pathlib.Path) -> typing.Iterator[Demo]:
    """Serves a demo for the length of a block; afterwards no run may be in progress, and no state file may be left."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder) / "home"
        with serving(kanmon, "demo", "--home", home) as server:
            yield Demo(server.address, home)
        if left := [*(home / "running").glob("*"), *home.glob("runs/*/*.partial-*")]:
            raise SystemExit(f"kanmon demo left behind {left}")


def addresses(shown: Demo) -> dict:
    """Every kind of page, by the name of its picture."""
    start = shown.start
    runs = json.load(urllib.request.urlopen(f"{start}/runs.json?{PROJECT}"))["data"]
    latest, earlier = runs[0]["id"], next(run["id"] for run in runs if run["decision"] == "passed")
    undecided = next(run["id"] for run in runs if run["decision"] == "undecided")
    pages = {
        "home": "/", "wall": "/wall", "machines": "/machines", "project": f"/project?{PROJECT}", "runs": f"/runs?{PROJECT}", "all-runs": "/runs",
        "branch": f"/branch?{PROJECT}&branch=main", "branch-passed": f"/branch?{PROJECT}&branch=" + urllib.parse.quote("fix/décodeur"),
        "runs-by-coverage": f"/runs?{PROJECT}&sort=coverage", "tests-by-duration": f"/runs/{latest}/tests?target=VideoKitTests&sort=duration",
        "coverage-by-missed": f"/runs/{latest}/coverage?sort=missed", "slow-by-name": f"/slow?{PROJECT}&sort=name",
        "run": f"/runs/{latest}", "run-passed": f"/runs/{earlier}", "run-undecided": f"/runs/{undecided}",
        "tests": f"/runs/{latest}/tests?target=VideoKitTests",
        "source": f"/runs/{latest}/source?path=Sources/ThumbnailKit/Thumbnail.swift",
        "coverage": f"/runs/{latest}/coverage", "module": f"/runs/{latest}/coverage?module=ThumbnailKit",
        "policy": f"/runs/{latest}/policy", "what-if": f"/runs/{latest}/policy?line=90", "test": f"/test?{PROJECT}{TEST}", "compare": f"/compare?before={earlier}&after={latest}",
        "live": f"/runs/{shown.underway()}/live", "search": "/search?q=thumbnail", "search-nothing": "/search?q=nowhere", "missing": "/nothing",
    }
    pages |= {name: f"/{name}?{PROJECT}" for name in ("flaky", "slow", "exceptions", "owners", "known-issues", "exclusions", "unverified")}
    pages["no-exceptions"] = "/exceptions?project=" + urllib.parse.quote("example.com/郵便番号")
    pages["all-verified"] = "/unverified?project=" + urllib.parse.quote("example.com/郵便番号")
    return {name: start + path for name, path in pages.items()}


def invalid(address: str) -> list:
    """The faults that a strict HTML parser finds in a page."""
    try:
        text = urllib.request.urlopen(address).read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
    parser = html5lib.HTMLParser()
    parser.parse(text)
    return [f"line {line}, column {column}: {code} {detail}" for (line, column), code, detail in parser.errors]


def picture(browser: Browser, address: str, has_script: bool) -> bytes:
    """A picture of the whole page, with or without scripts."""
    with contextlib.closing(browser.new_context(java_script_enabled=has_script)) as context:
        page = context.new_page()
        page.goto(address)
        return page.screenshot(full_page=True)


def looks_the_same(browser: Browser, address: str) -> bool:
    """Whether a page looks the same with and without JavaScript, to the pixel.

    Now and then Chromium draws the edges of a few letters otherwise, in one of fifty pictures of some pages; what is really
    different is so each time.
    """
    return any(picture(browser, address, True) == picture(browser, address, False) for _ in range(4))


def tab_to(page, part: str) -> bool:
    """Presses Tab until the focused link leads to an address with `part`; False if there is none."""
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


def onward(browser: Browser, address: str) -> list:
    """Whether Tab and Enter lead to the next and the previous missed lines without a script, and n and p with it."""
    findings = []
    for has_script in (False, True):
        with contextlib.closing(browser.new_context(java_script_enabled=has_script)) as context:
            page = context.new_page()
            page.goto(address)
            lines = page.locator("tr.begins").evaluate_all("rows => rows.map(row => row.id)")
            page.goto(f"{address}#{lines[0]}")
            ways = [(lines[1], ["n"] if has_script else ["Tab", "Tab", "Enter"]),
                    (lines[0], ["p"] if has_script else ["Tab", "Tab", "Enter"])]
            for line, keys in ways:
                for key in keys:
                    page.keyboard.press(key)
                try:
                    page.wait_for_url(lambda url: url.endswith(f"#{line}"), timeout=15000)
                except TimeoutError:
                    findings.append(f"{page.url}: {' '.join(keys)} does not lead to {line}")
    return findings


def followed(browser: Browser, shown: Demo) -> list:
    """Whether the open page of a run in progress shows new output as text, and the whole log again after it was truncated."""
    sign, = shown.signs()
    before = sign.read_text()
    transcript, = shown.home.glob("runs/*/*.partial-*/transcript.log")
    log = transcript.read_text()
    page = browser.new_page()
    page.goto(f"{shown.start}/runs/{shown.underway()}/live")
    try:
        with transcript.open("a") as file:
            file.write("\x1b[31m<b>later</b>\x1b[0m\n")
        run = json.loads(before)
        run["progress"] |= {"ended": 141, "failed": 2, "failures": ["<i>first</i>", "second"]}
        (sign.parent / "new").write_text(json.dumps(run))
        (sign.parent / "new").rename(sign)
        page.get_by_text("<b>later</b>", exact=True).wait_for(timeout=15000)
        page.get_by_role("heading", name="Testing, 141 of 142, 2 failed").wait_for(timeout=15000)
        page.get_by_text("<i>first</i>", exact=True).wait_for(timeout=15000)
        if page.locator(".log b, .live i").count():
            return [f"{page.url}: text that was sent became elements"]
        transcript.write_text("anew\n")
        page.get_by_text("later").wait_for(state="detached", timeout=15000)
        if page.locator(".log").text_content() != "anew\n":
            return [f"{page.url}: a log that was cut is not shown anew"]
        sign.unlink()
        page.get_by_text("Not found").wait_for(timeout=15000)
    except TimeoutError as error:
        return [f"{page.url}: {error}"]
    finally:
        transcript.write_text(log)
        (sign.parent / "new").write_text(before)
        (sign.parent / "new").rename(sign)
        page.close()
    return []


class Closed(typing.NamedTuple):
    """A dashboard that is shown to those only who sign in with a token."""

    start: str
    token: str


@contextlib.contextmanager
def closed(kanmon: pathlib.Path) -> typing.Iterator[Closed]:
    """Serves a home with one token and one run that came from a machine."""
    with tempfile.TemporaryDirectory() as folder:
        environment = surroundings.environment(pathlib.Path(folder), KANMON_HOME=f"{folder}/home")
        sender, reader = (new_token(kanmon, name, scope, env=environment) for name, scope in (("jenkins", "attest"), ("anna", "read")))
        with serving(kanmon, "serve", env=environment) as server:
            run = Run(tools.ROOT / "Tests/KanmonTests/Runs/Mixed", 1, {})
            if (status := Link(server.port, sender, {"Kanmon-Machine": "agent-1"}).deliver(run)) != 201:
                raise SystemExit(f"the delivery is answered with {status}")
            yield Closed(server.address, reader)


def signing_in(browser: Browser, shown: Closed) -> list:
    """Whether a reader without scripts signs in by keyboard, comes to the page that was asked for, and out again."""
    findings = []
    with contextlib.closing(browser.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        answer = page.goto(f"{shown.start}/machines")
        if answer.status != 401 or "agent-1" in page.content():
            findings.append(f"a stranger is answered with {answer.status}")
        for token, status in (("kanmon_no", 401), (shown.token, 200)):
            page.get_by_label("Token").fill(token)
            with page.expect_navigation() as navigation:
                page.keyboard.press("Enter")
            if navigation.value.status != status:
                findings.append(f"signing in with {token[:9]}… is answered with {navigation.value.status}")
        if not page.url.endswith("/machines") or page.get_by_text("jenkins").count() == 0:
            findings.append(f"signing in leads to {page.url}")
        cookie, = context.cookies()
        if not cookie["httpOnly"] or cookie["sameSite"] != "Strict":
            findings.append(f"the cookie is {cookie}")
        page.goto(f"{shown.start}/sign-in")
        with page.expect_navigation():
            page.get_by_role("button", name="Sign out").click()
        if page.goto(f"{shown.start}/machines").status != 401:
            findings.append("who has signed out still reads")
    return [f"signing in: {words}" for words in findings] + [f"sign-in: invalid HTML: {words}" for words in invalid(f"{shown.start}/sign-in")]


def check(browser: Browser, shown: Demo) -> list:
    """Faults beyond those that are checked on every page."""
    findings = []
    for name, address in addresses(shown).items():
        findings += [f"{name}: invalid HTML: {words}" for words in invalid(address)]
        if not looks_the_same(browser, address):
            findings.append(f"{name}: it looks different without JavaScript")
    pages = addresses(shown)
    return findings + by_keyboard(browser, shown.start) + onward(browser, pages["source"]) + followed(browser, shown)
