"""The dashboard with a run in which every text is hostile, and with one in which none is: their pages must have the same elements."""

import collections
import contextlib
import hashlib
import json
import pathlib
import re
import subprocess
import typing
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
import xml.sax.saxutils as saxutils

from playwright.sync_api import Browser

import server
import serving
from texts import HOSTILE, harmless


class World(typing.NamedTuple):
    """A served run, and the spelling of its texts."""

    start: str
    spelt: typing.Callable
    run: str

    def pages(self, most: int) -> dict:
        """Every kind of page; pages about one text for `most` texts, evenly chosen."""
        quote, project = urllib.parse.quote, urllib.parse.quote(self.spelt(PROJECT))
        pages = {
            "home": "/", "runs": "/runs", "runs of it": f"/runs?project={project}", "project": f"/project?project={project}",
            "run": f"/runs/{self.run}", "before": f"/runs/{BEFORE}", "coverage": f"/runs/{self.run}/coverage",
            "policy": f"/runs/{self.run}/policy", "compare": f"/compare?before={BEFORE}&after={self.run}",
        }
        pages |= {name: f"/{name}?project={project}" for name in ("flaky", "slow", "quarantine", "owners", "known-issues", "exclusions")}
        # The reader decides where the module ends and the class begins.
        tests = {re.match(r"M(\d+) ", test["module"])[1]: test for test in self.report()["tests"]}
        for number in range(0, len(HOSTILE), max(1, len(HOSTILE) // most)):
            text, module = quote(self.spelt(HOSTILE[number]), safe=""), quote(self.spelt(f"M{number} {HOSTILE[number]}"), safe="")
            test = {part: quote(tests[str(number)][part], safe="") for part in ("module", "suite", "name")}
            pages |= {
                f"test {number}": f"/test?project={project}&module={test['module']}&suite={test['suite']}&name={test['name']}",
                f"tests {number}": f"/runs/{self.run}/tests?target={test['module']}",
                f"source {number}": f"/runs/{self.run}/source?path={quote(self.spelt(path(number)), safe='')}",
                f"module {number}": f"/runs/{self.run}/coverage?module={module}", f"nothing {number}": f"/{text}",
            }
            # A spelling of one or two letters would be found in other texts too.
            if len(HOSTILE[number]) > 3:
                pages[f"search {number}"] = f"/search?q={text}"
        return pages

    def report(self) -> dict:
        status, _, body = self.get(f"/runs/{self.run}.json")
        if status != 200:
            raise SystemExit(f"the data of a run is answered with {status}: {body[:200]}")
        return json.loads(body)

    def get(self, address: str) -> tuple:
        try:
            with urllib.request.urlopen(self.start + address) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()


PROJECT = f"example.com/<b>{HOSTILE[0]}"
BEFORE, RUN = "019b7c00-0000-7000-8000-0000000be7c4", "019b7c10-0000-7000-8000-0000000be7c5"
ROOTED = "/home/ci/package"
# How many of the texts are in one source.
LINES = 60


def path(number: int) -> str:
    # Paths do not end in a slash, have no empty parts, and are not longer than file systems allow.
    return f"Sources/{number}/{one_line(HOSTILE[number])[:60].replace('/', '∕')}.swift"


def one_line(text: str) -> str:
    """LCOV cannot express a line feed in a name."""
    return re.sub(r"[\r\n]+", " ", text)


def write_run(folder: pathlib.Path, identifier: str, spelt: typing.Callable, number: int):
    """A run directory with the reports of another test tool, with a text of the list in every field."""
    (folder / "sources").mkdir(parents=True)
    texts = [spelt(text) for text in HOSTILE]
    sources, modules, files, cases = [], [], [], []
    for index, text in enumerate(texts):
        # A name has at most 1,024 bytes.
        name, file = spelt(f"M{index} {HOSTILE[index][:240]}"), spelt(path(index))
        body = "\n".join((texts[index:] + texts[:index])[:LINES]).encode()
        digest = hashlib.sha256(body).hexdigest()
        (folder / "sources" / digest).write_bytes(body)
        sources.append({"path": file, "sha256": digest})
        modules.append({"name": name, "compilerName": name, "kind": "library", "isSwift": True, "path": f"Sources/{index}",
                        "sources": [pathlib.PurePosixPath(file).name], "dependencies": []})
        files.append(f"SF:{ROOTED}/{file}\nFN:1,{one_line(text)}\nFNDA:0,{one_line(text)}\nDA:1,1\nDA:2,0\nDA:3,{index}\nend_of_record\n")
        attribute, inner = saxutils.quoteattr, saxutils.escape
        end = {
            0: f"<failure message={attribute(text)}>{inner(text)}</failure><system-out>{inner(text)}</system-out>",
            1: f"<skipped message={attribute(text)}/>", 2: f"<error message={attribute(text)}>{inner(file)}:2</error>",
        }.get((index + number) % 4, f"<system-err>{inner(text)}</system-err>")
        cases.append(f"<testcase classname={attribute(f'{name}.{text}')} name={attribute('test ' + text)} file={attribute(file)} "
                     f'line="2" time="0.{index:03}">{end}</testcase>')
    policy = {
        "defaultFloors": {"line": "80"}, "minimumTests": 1, "modules": [], "flaky": "warn", "budgets": [],
        "excludes": [{"path": spelt(path(7)), "reason": texts[3]}, {"path": spelt(path(12)), "reason": texts[0]}],
        "quarantine": [{"test": f"M{index}*", "owner": texts[index], "reason": texts[index], "expires": "2099-12-31"}
                       for index in range(0, len(texts), 9)],
    }
    artifacts = []
    for role, name, text in [
        ("policy", "policy.json", json.dumps(policy)), ("lcov", "coverage.lcov", "".join(files)),
        ("xunit", "xunit.xml", f"<testsuite name={saxutils.quoteattr(texts[0])}>" + "\n".join(cases) + "</testsuite>"),
    ]:
        data = text.encode()
        (folder / name).write_bytes(data)
        artifacts.append({"role": role, "path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    (folder / "manifest.json").write_text(json.dumps({
        "schemaVersion": 1, "kanmonVersion": texts[0], "runID": identifier, "project": spelt(PROJECT), "package": texts[3],
        "packageRoot": ROOTED, "startedAt": f"2026-01-0{1 + number}T03:04:05.000Z", "duration": 1_000_000, "engine": "foreign",
        "revision": {"commit": f"{number}abc" * 10, "tree": f"{number}def" * 10, "branch": texts[4], "subject": texts[0], "isDirty": False},
        "toolchain": {"swiftVersion": texts[1], "llvmVersion": texts[2], "target": texts[3]},
        "machine": {"processor": texts[6], "cores": 2}, "arguments": texts,
        "steps": [{"kind": "test", "arguments": texts, "duration": 5, "termination": {"exited": 1}, "wasTimedOut": False}],
        "modules": modules, "modulesWithoutObjects": [], "withheldEnvironment": texts, "profiles": [],
        "gaps": [], "notes": [{"code": "report-repaired", "subject": text, "detail": text} for text in texts],
        "artifacts": artifacts, "sources": sources}))


@contextlib.contextmanager
def served(kanmon: pathlib.Path, folder: pathlib.Path, spelt: typing.Callable) -> typing.Iterator[World]:
    """The two runs of one spelling, ingested like any other and served."""
    for number, identifier in enumerate((BEFORE, RUN)):
        if not (folder / identifier).exists():
            write_run(folder / identifier, identifier, spelt, number)
            subprocess.run([kanmon, "ingest", folder / identifier, "--home", folder / "home", "--exit-zero"], check=True,
                           capture_output=True)
    with server.serving(kanmon, "serve", "--home", folder / "home") as process:
        yield World(process.address, spelt, RUN)


# Every element with the names of its attributes, without their values.
ELEMENTS = """() => [...document.querySelectorAll('*')].map(element =>
    element.localName + '[' + element.getAttributeNames().sort() + ']')"""


def elements(tab, address: str) -> collections.Counter:
    tab.open(address)
    found = collections.Counter(tab.page.evaluate(ELEMENTS))
    if tab.page.evaluate("window.broken") is not None:
        tab.complaints.append("a script has run")
    # A page with an error status is not a failure of the browser.
    tab.complaints[:] = [words for words in tab.complaints if not re.search(r"^4\d\d: |status of 4\d\d", words)]
    return found


def pairs(worlds: list, most: int) -> dict:
    """The addresses of each page with hostile texts and of the same page with harmless texts."""
    hostile, plain = worlds
    harmless_pages = plain.pages(most)
    return {name: (hostile.start + address, plain.start + harmless_pages[name]) for name, address in hostile.pages(most).items()}


def differences(tab, pages: dict) -> typing.Iterator[str]:
    """The differences between pages that belong together, and their faults."""
    for name, (hostile, plain) in pages.items():
        ours = elements(tab, hostile)
        complaints = list(tab.complaints)
        theirs = elements(tab, plain)
        for words in complaints + tab.complaints:
            yield f"{name}: {words}"
        if ours != theirs:
            yield f"{name}: more or other elements: {dict(ours - theirs)}; fewer: {dict(theirs - ours)}"


def for_machines(worlds: list, most: int) -> typing.Iterator[str]:
    """Faults outside HTML: JSON that cannot be read, XML that is malformed or has other elements, injected headers."""
    hostile, plain = worlds
    harmless_pages = plain.pages(most)
    for name, address in hostile.pages(most).items():
        ours, theirs = hostile.get(address), plain.get(harmless_pages[name])
        if ours[0] != theirs[0] or sorted(ours[1]) != sorted(theirs[1]):
            yield f"{name}: answered with {ours[0]} and {sorted(ours[1])}, the harmless one with {theirs[0]} and {sorted(theirs[1])}"
        page, mark, query = address.partition("?")
        status, headers, body = hostile.get({"/": "/index"}.get(page, page) + ".json" + mark + query)
        if not headers["Content-Type"].startswith("application/json") or not shape_is_known(json.loads(body)):
            yield f"{name}: its data is {headers['Content-Type']}: {body[:80]}"
    project = urllib.parse.quote(PROJECT), urllib.parse.quote(harmless(PROJECT))
    for address in ("/badge.svg?project=", "/regressions.atom?project="):
        trees = [ElementTree.fromstring(world.get(address + name)[2]) for world, name in zip(worlds, project)]
        counts = [collections.Counter(element.tag for element in tree.iter()) for tree in trees]
        if counts[0] != counts[1]:
            yield f"{address}: other elements: {counts}"
    names = {test["name"] for test in hostile.report()["tests"]}
    if lost := [text for text in HOSTILE if "test " + text not in names]:
        yield f"/runs/{RUN}.json: these names did not arrive as they are: {lost}"


# Each must be detected on a page that does not escape it, and not on one that does; otherwise the checks above prove nothing.
BREAKING = {
    "<script>window.broken = 1</script>": ("elements", "Content-Security-Policy", "a script has run"),
    "<img src=x onerror='window.broken = 1'>": ("elements", "Content-Security-Policy", "a script has run"),
    "<b>bold</b>": ("elements",),
    "</td></tr></table><p>": ("elements",),
}


def check_itself(tab, folder: pathlib.Path, policy: str) -> typing.Iterator[str]:
    """The faults that were not detected on pages without escaping, with the policy of the dashboard and without one."""
    def page(name: str, cell: str):
        (folder / f"{name}.html").write_text(f'<!doctype html><html lang="en"><title>Wrong</title><table><tr><td>{cell}</td></tr></table></html>')

    folder.mkdir()
    (folder / "favicon.ico").touch()
    page("harmless", "letters")
    with serving.served(folder, policy) as strict, serving.served(folder) as free:
        for text, words in BREAKING.items():
            page("raw", text)
            page("escaped", saxutils.escape(text))
            seen = [list(differences(tab, {"raw": (start + "raw.html", start + "harmless.html")})) for start in (strict, free)]
            for word in words:
                if not any(word in finding for finding in seen[0] + seen[1]):
                    yield f"a page with {text} as it is: no finding about {word}, but {seen}"
            for finding in differences(tab, {"escaped": (strict + "escaped.html", strict + "harmless.html")}):
                yield f"a page with {text} escaped: {finding}"


def shape_is_known(data) -> bool:
    return isinstance(data, dict) and ("data" in data or "error" in data or "schemaVersion" in data)


def check(browser: Browser, new_tab, kanmon: pathlib.Path, folder: pathlib.Path, most: int) -> list:
    """The faults of pages with hostile texts."""
    with contextlib.ExitStack() as stack:
        worlds = [stack.enter_context(served(kanmon, folder / name, spelt))
                  for name, spelt in (("hostile", str), ("harmless", harmless))]
        tab = new_tab(browser)
        policy = worlds[0].get("/")[1]["Content-Security-Policy"]
        findings = list(check_itself(tab, folder / "itself", policy))
        findings += [*differences(tab, pairs(worlds, most)), *for_machines(worlds, most)]
        tab.page.close()
    return findings
