"""The worst runs within the bounds of docs/admin.md, delivered to a server with a token that may only submit.

Everything that the server shows of them is asked for with a reader's token, while the reader of another project looks at that one.
"""

import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import threading
import time
import urllib.parse

import surroundings
import tools
from delivering import Link, Run, digest, new_token, progress, seeded, until_answered
from server import Server, peak_memory, serving
from tally import Tally

RECORDED = tools.ROOT / "Tests" / "KanmonTests" / "Runs" / "Mixed"
# Seconds for each answer, for each answer to the other reader, and for a start; the memory of the server.
ANSWER, OTHER, START, MEBIBYTES = 2.0, 0.5, 5.0, 256
PROJECT, SOURCE, TESTS = "hostile/kit", "Sources/Greeting/Greeting.swift", "GreetingTests"
MOST_TESTS, MOST_FAILED = 100_000, 20_000
# With the lines of the other files it is a million.
MOST_LINES = 999_990
# Runs on a branch of their own, and the tokens that deliver them: each may deliver 60 in a minute.
BRANCHES, BRANCH_TOKENS = 2_000, 40
LONG, LONG_SUITE, LONG_TEST = "\u00fc" * 512, "S" * 512, "t" * 506
LONG_PATH = f"Sources/{'p' * 250}/{'q' * 249}.swift"
NAMES = ["sources", "tests", "names", "machines", "branches", "bounds", "start"]


def made(number: int, project: str = PROJECT, branch: str = "main", text: str = "a change", targets: int = 0) -> Run:
    """A recorded run as if it had just begun, of a commit of its own."""
    run = Run(RECORDED, number, {}, project=project)
    moment = time.time() - 60
    stamp = f"{int(moment * 1000):012x}"
    run.manifest |= {
        "startedAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(moment)),
        "runID": seeded(f"{stamp[:8]}-{stamp[8:]}", project, run.manifest["seed"]),
        "revision": {"commit": f"{number + 1:040x}", "tree": f"{number + 1:040x}", "folder": "", "branch": branch, "subject": text,
                     "author": text, "isDirty": False}}
    more = targets - len(run.manifest["modules"])
    run.manifest["modules"] += [
        {"name": f"T{place}", "compilerName": f"T{place}", "kind": "library", "isSwift": True, "path": f"Sources/T{place}", "sources": [],
         "dependencies": []} for place in range(more)]
    run.seal()
    return run


def covered(number: int, source: bytes, lines: int) -> Run:
    """A run with a source file of which an export of a few bytes says that all of its first lines are executed."""
    run = made(number)
    entry = next(entry for entry in run.manifest["sources"] if entry["path"] == SOURCE)
    del run.files[f"sources/{entry['sha256']}"]
    entry["sha256"] = digest(source)
    run.files[f"sources/{entry['sha256']}"] = source
    export = json.loads(run.files["coverage.json"])
    file = next(file for file in export["data"][0]["files"] if file["filename"].endswith(SOURCE))
    file["segments"] = [[1, 1, 1, True, True, False], [lines, 2, 0, False, False, False]]
    run.replace("coverage.json", json.dumps(export).encode())
    return run


def reported(run: Run, cases: str, lcov: str = "", policy: dict | None = None) -> Run:
    """The same run as a report of another tool tells of it."""
    files = {"policy.json": ("policy", json.dumps(json.loads(run.files["policy.json"]) | (policy or {}))),
             "xunit.xml": ("xunit", f"<testsuite name=\"s\">\n{cases}</testsuite>\n")}
    if lcov:
        files["coverage.lcov"] = ("lcov", lcov)
    run.files = {name: text.encode() for name, (_, text) in files.items()}
    run.manifest |= {
        "engine": "foreign", "sources": [], "artifacts": [
            {"role": role, "path": name, "bytes": len(run.files[name]), "sha256": digest(run.files[name])}
            for name, (role, _) in files.items()],
        "steps": [{"kind": "test", "arguments": ["tool"], "duration": 5, "termination": {"exited": 1}, "wasTimedOut": False}]}
    run.seal()
    return run


def failing(count: int, suite: str = f"{TESTS}.Many", name: str = "t", message: str = "m") -> str:
    return "".join(f'<testcase classname="{suite}" name="{name}{number:06}" time="0.001"><failure message="{message}">{number}</failure>'
                   "</testcase>\n" for number in range(count))


def passing(count: int, first: int = 0) -> str:
    """More of these than of failed ones can be read at all."""
    return "".join(f'<testcase classname="{TESTS}.Many" name="t{number:06}" time="0.001"/>\n' for number in range(first, count))


def most_tests() -> str:
    """As many tests as a run may have, and of them as many failed ones."""
    return failing(MOST_FAILED) + passing(MOST_TESTS, MOST_FAILED)


def measured(number: int, files: int) -> Run:
    """A run with many files, each of one line."""
    run = made(number)
    module = next(module for module in run.manifest["modules"] if module["name"] == "Greeting")
    module["sources"] = [f"F{number}.swift" for number in range(files)]
    folder = f"{run.manifest['packageRoot']}/{module['path']}"
    return reported(run, failing(1), "".join(f"SF:{folder}/{name}\nDA:1,1\nend_of_record\n" for name in module["sources"]))


def long_names(number: int, project: str) -> Run:
    """A run whose names have all the length that they may have."""
    run = made(number, project, LONG, LONG)
    run.manifest["package"] = LONG
    tests = LONG_PATH.replace("Sources", "Tests")
    for kind, name, path, needed in (("library", LONG, LONG_PATH, []), ("test", LONG.upper(), tests, [LONG])):
        run.manifest["modules"].append({
            "name": name, "compilerName": name, "kind": kind, "isSwift": True, "path": path.rpartition("/")[0],
            "sources": [path.rpartition("/")[2]], "dependencies": needed})
    cases = failing(1_000, f"{LONG.upper()}.{LONG_SUITE}", LONG_TEST, "m" * 512)
    return reported(run, cases, f"SF:{run.manifest['packageRoot']}/{LONG_PATH}\nDA:1,1\nDA:2,0\nend_of_record\n")


def quarantine(count: int) -> list:
    return [{"test": f"{TESTS}.Many/x{number}", "owner": "o", "reason": "r", "expires": "2099-01-01"} for number in range(count)]


def listed(project: str = PROJECT, path: str = "a", sizes: list = [1]) -> bytes:
    """A list of files, besides a manifest of a byte."""
    files = [("manifest.json", 1)] + [(path + "x" * number, size) for number, size in enumerate(sizes)]
    return json.dumps({"schemaVersion": 1, "project": project, "files": [
        {"path": name, "sha256": f"{number:064x}", "size": size} for number, (name, size) in enumerate(files)]}).encode()


class ServerFloods(Tally):
    def __init__(self, binary: str, folder: pathlib.Path):
        super().__init__()
        self.binary, self.folder = binary, folder
        environment = surroundings.environment(folder, KANMON_HOME=folder / "home", XDG_CONFIG_HOME=folder / "config")
        self.options = {"env": environment, "cwd": folder}
        self.hostile, self.reader = self.token("hostile", "submit", "hostile/*"), self.token("reader", "read", "hostile/*")
        self.ci, self.other = self.token("other-ci", "attest", "other/*"), self.token("other-reader", "read", "other/*")

    def token(self, name: str, scope: str, project: str) -> str:
        return new_token(self.binary, name, scope, project, **self.options)

    def play(self, names: list) -> int:
        with serving(self.binary, "serve", **self.options) as server:
            until_answered(server.port, Run(RECORDED, 0, {}, project="other/kit"), self.ci)
            for name in names:
                if name != "start":
                    getattr(self, name)(server)
            if "start" in names:
                self.spooled(server)
        if "start" in names:
            self.start()
        return self.end()

    # --- asking ---------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def watched(self, server: Server, what: str):
        """Looks at the other project all the time, and tells of this and of the memory; yields what is wrong, to add to."""
        wrong, seconds, over = [], [0.0], threading.Event()
        # What it takes now is the peak from here on.
        pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")

        def look() -> None:
            while not over.wait(0.05):
                spent, status = self.get(server.port, "/", self.other)
                seconds.append(spent)
                if status != 200:
                    wrong.append(f"the other reader is answered {status}")

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        told = []
        yield wrong, told
        over.set()
        thread.join()
        used = peak_memory(server.process) >> 20
        wrong += [f"the other reader waits {max(seconds):.2f} s, the limit is {OTHER} s"] if max(seconds) > OTHER else []
        wrong += [f"the limit of memory is {MEBIBYTES} MiB"] if used > MEBIBYTES else []
        self.tell(f"{what}: {', '.join(told)}; the other reader within {max(seconds) * 1e3:.0f} ms, {used} MiB",
                  [*dict.fromkeys(wrong)][:10])

    def get(self, port: int, target: str, token: str, method: str = "GET", body: bytes | None = None) -> tuple:
        """How long an answer takes, and its status or why there is none."""
        link, begun = Link(port, token), time.monotonic()
        try:
            status = link.ask(method, target, body)[0]
        except (OSError, http.client.HTTPException) as error:
            status = repr(error)
        link.connection.close()
        return time.monotonic() - begun, status

    def ask(self, server: Server, targets: list, wrong: list, told: list, token: str = "") -> None:
        """Asks for each once: it is answered or refused in time."""
        slowest = (0.0, "")
        for target in targets:
            seconds, status = self.get(server.port, target, token or self.reader)
            slowest = max(slowest, (seconds, target))
            if not isinstance(status, int) or status >= 500:
                wrong.append(f"{target[:200]}: {status}")
        if slowest[0] > ANSWER:
            wrong.append(f"{slowest[1][:200]}: {slowest[0]:.1f} s, the limit is {ANSWER} s")
        told.append(f"{len(targets)} answers within {slowest[0]:.2f} s")

    def addresses(self, server: Server, run: Run, wrong: list, **more) -> list:
        """The pages and the data that /openapi.json describes, of a run and its project."""
        revision = run.manifest["revision"]
        values = {"project": run.manifest["project"], "run": run.id, "before": run.id, "after": run.id, "branch": revision["branch"],
                  "id": revision["commit"], "commit": revision["commit"], "tree": revision["tree"], "target": TESTS, "path": SOURCE,
                  "at": "1", "module": TESTS, "suite": "", "name": "t000001"} | more
        found = ["/metrics", f"/runs?project={urllib.parse.quote(values['project'], safe='')}", f"/runs/{run.id}/policy?line=99",
                 f"/search?q={urllib.parse.quote(values['name'][:200])}", f"/runs/{run.id}/evidence?file=policy.json"]
        for path, methods in sorted(json.loads(Link(server.port, self.reader).ask("GET", "/openapi.json")[1])["paths"].items()):
            if "get" not in methods or path.startswith("/api/"):
                continue
            # Of a test the suite is needed to find it.
            named = [one["name"] for one in methods["get"].get("parameters", []) if one["required"] or one["name"] == "suite"]
            if unknown := [name for name in named if name not in values]:
                wrong.append(f"{path}: this script knows no value for {', '.join(unknown)}")
                continue
            page = {"/index.json": "/", "/badge.json": "/badge.svg"}.get(path, path.removesuffix(".json"))
            query = urllib.parse.urlencode({name: values[name] for name in named if "{%s}" % name not in path})
            for target in (path, page):
                for name in named:
                    target = target.replace("{%s}" % name, urllib.parse.quote(values[name], safe=""))
                found.append(f"{target}?{query}" if query else target)
        return found

    def deliver(self, server: Server, run: Run, wrong: list, expected: tuple = (201,)) -> int:
        link = Link(server.port, self.hostile)
        link.connection.timeout = 300
        try:
            status = link.deliver(run)
        except (OSError, http.client.HTTPException) as error:
            status = repr(error)
        if status not in expected:
            wrong.append(f"a run is answered {status} and not {' or '.join(map(str, expected))}")
        link.connection.close()
        return status

    # --- floods ---------------------------------------------------------------------------------------------------

    def sources(self, server: Server) -> None:
        """Source files of very many lines. More lines than a file may have are refused."""
        for number, (count, lines, expected) in enumerate([
                (2_000_000, MOST_LINES, (201,)), (60_000_000, MOST_LINES, (201,)), (2_000_000, 2_000_000, (413, 422)),
                # No export is read that has so many lines in a file: it counts as damaged, and the run goes without.
                (60_000_000, 60_000_000, (201, 413, 422))]):
            run = covered(100 + number, b"\n" * count, lines)
            with self.watched(server, f"a file of {count:,} empty lines, {lines:,} of them executed") as (wrong, told):
                told.append(f"answered {self.deliver(server, run, wrong, expected)}")
                self.ask(server, self.addresses(server, run, wrong), wrong, told)

    def tests(self, server: Server) -> None:
        """As many tests and failed ones in one target as a run may have; one reader asks for each page, then many for all at once."""
        run = reported(made(200), most_tests())
        with self.watched(server, f"{MOST_TESTS:,} tests in one target, {MOST_FAILED:,} failed") as (wrong, told):
            self.deliver(server, run, wrong)
            more = [f"/runs/{run.id}/tests{form}?target={TESTS}&from={place}{order}" for form in ("", ".json")
                    for place in (50_000, 99_999) for order in ("", "&sort=duration")]
            self.ask(server, self.addresses(server, run, wrong, suite="Many") + more, wrong, told)
        readers = [self.token(f"tests-{number}", "read", "hostile/*") for number in range(4)]
        whole = [f"/runs/{run.id}.json", f"/runs/{run.id}", f"/runs/{run.id}/tests?target={TESTS}",
                 f"/compare?before={run.id}&after={run.id}"]
        with self.watched(server, f"{len(readers)} readers ask for all of it at once") as (wrong, told):
            with concurrent.futures.ThreadPoolExecutor(len(readers) * len(whole)) as hands:
                answers = list(hands.map(lambda asked: self.get(server.port, asked[1], asked[0]),
                                         [(reader, target) for reader in readers for target in whole]))
            # Who would have to wait for too long is told so.
            wrong += [f"status {status}" for _, status in answers if status not in (200, 503)]
            told.append(f"{sum(status == 200 for _, status in answers)} answers, the last after {max(answers)[0]:.1f} s")

    def names(self, server: Server) -> None:
        """Names that are as long as they may be."""
        project = "hostile/" + "\u00fc" * 508
        run = long_names(300, project)
        with self.watched(server, "the longest names of a project, a package, a branch, modules, tests and files") as (wrong, told):
            self.deliver(server, run, wrong)
            self.ask(server, self.addresses(server, run, wrong, target=LONG.upper(), module=LONG.upper(), path=LONG_PATH, suite=LONG_SUITE,
                                            name=f"{LONG_TEST}000001"), wrong, told)

    def machines(self, server: Server) -> None:
        """Machines of one token, and many more of others."""
        tokens = [self.hostile] + [self.token(f"machines-{number}", "submit", "hostile/*") for number in range(4)]
        everyone = self.token("everyone", "read", "*")
        with self.watched(server, f"{500 * len(tokens):,} machines of {len(tokens)} tokens") as (wrong, told):
            for token in tokens:
                link = Link(server.port, token)
                for number in range(500):
                    link.headers["Kanmon-Machine"] = urllib.parse.quote("\u00fc" * 120 + str(number))
                    status, _ = link.ask("GET", "/api/v1/whoami")
                    wrong += [f"a machine is answered {status}"] if status != 200 else []
                link.connection.close()
            targets = ["/machines", "/machines.json", "/machines?sort=waiting&order=asc", "/machines.json?trust=laptop", "/metrics", "/"]
            self.ask(server, targets, wrong, told)
            self.ask(server, targets, wrong, told, everyone)

    def branches(self, server: Server) -> None:
        """A branch for each of many runs."""
        tokens = [self.token(f"branches-{number}", "submit", "hostile/*") for number in range(BRANCH_TOKENS)]
        share = BRANCHES // BRANCH_TOKENS

        def work(number: int) -> None:
            for place in range(number * share, (number + 1) * share):
                until_answered(server.port, made(1_000 + place, branch=f"topic/{'b' * 200}/{place}"), tokens[number])

        with self.watched(server, f"{BRANCHES:,} branches") as (wrong, told):
            with concurrent.futures.ThreadPoolExecutor(4) as hands:
                for done in [hands.submit(work, number) for number in range(BRANCH_TOKENS)]:
                    done.result()
            run = made(400)
            self.deliver(server, run, wrong)
            project = urllib.parse.quote(PROJECT, safe="")
            more = [f"/runs{form}?project={project}&{kept}" for form in ("", ".json")
                    for kept in ("branch=none", "author=nobody", "sort=duration", "sort=coverage&order=asc")]
            self.ask(server, self.addresses(server, run, wrong) + more + ["/search?q=topic", "/search.json?q=bbbb"], wrong, told)

    def bounds(self, server: Server) -> None:
        """What is at a bound is taken, and what is one above it is refused."""
        for number, (what, most, policy) in enumerate([
                ("patterns", 500, lambda count: {"excludes": [f"*{number}" for number in range(count)]}),
                ("bytes of patterns", 8_192, lambda count: {"excludes": ["*" + "p" * (count - 1)]}),
                ("excludes", 10_000, lambda count: {"excludes": [f"e{number}" for number in range(count)]}),
                ("tests in quarantine", 1_000, lambda count: {"quarantine": quarantine(count)})]):
            self.above(server, what, most, *(
                reported(made(500 + 2 * number + more), failing(1), policy=policy(most + more)) for more in (0, 1)))
        # A rule and a budget are of something that the run has.
        rules = [{"pattern": f"T{number}", "floors": {"line": "1"}} for number in range(10_001)]
        self.above(server, "module rules", 10_000, reported(made(520, targets=5_000), failing(1), policy={"modules": rules[:4_000]}),
                   reported(made(521, targets=5_000), failing(1), policy={"modules": rules}))
        budgets = [{"pattern": f"{TESTS}/Many/t{number:06}", "bound": 10 ** 9} for number in range(10_001)]
        self.above(server, "budgets", 10_000, *(
            reported(made(522 + more), passing(10_001), policy={"budgets": budgets[:10_000 + more]}) for more in (0, 1)))
        self.above(server, "targets", 5_000, *(made(530 + more, targets=5_000 + more) for more in (0, 1)))
        self.above(server, "measured files", 20_000, *(measured(535 + more, 20_000 + more) for more in (0, 1)))
        self.above(server, "bytes of a subject", 1_024, *(made(537 + more, text="s" * (1_024 + more)) for more in (0, 1)))
        self.above(server, "bytes of a branch", 1_024, *(made(540 + more, branch="b" * (1_024 + more)) for more in (0, 1)))
        self.above(server, "failed tests", MOST_FAILED, None, reported(made(549), failing(MOST_FAILED + 1)))
        for count in (MOST_TESTS + 1, 4 * MOST_TESTS):
            self.above(server, f"tests ({count:,})", MOST_TESTS, None, reported(made(550 + count), passing(count)))
        run = made(560)
        begun, rest = b'{"schemaVersion":1,"project":"hostile/kit","files":[', b"1]}"
        for what, call, bodies in [
                ("bytes of a project", "runs", [listed("hostile/" + "p" * (1_016 + more)) for more in (0, 1)]),
                ("bytes of a path", "runs", [listed(path="/".join(["p" * 170] * 3) + "p" * more) for more in (0, 1)]),
                ("parts of a path", "runs", [listed(path="/".join("abcdefgh") + "/i" * more) for more in (0, 1)]),
                ("bytes of a name", "runs", [listed(path="p" * (255 + more)) for more in (0, 1)]),
                ("bytes of a file", "runs", [listed(sizes=[(64 << 20) + more]) for more in (0, 1)]),
                ("bytes of a run", "runs", [listed(sizes=[64 << 20] * 7 + [(64 << 20) - 1 + more]) for more in (0, 1)]),
                ("values of a list", "runs", [b"", begun + b"1," * 120_000 + rest]),
                ("bytes of progress", "live", [
                    progress(run.id, run.manifest["seed"], PROJECT).ljust((128 << 10) + more) for more in (0, 1)])]:
            with self.watched(server, f"one of the {what} too many") as (wrong, told):
                for body, expected in zip(bodies, ((200, 202), (413, 422))):
                    if body:
                        _, status = self.get(server.port, f"/api/v1/{call}/{run.id}", self.hostile, "PUT", body)
                        told.append(f"answered {status}")
                        wrong += [f"{status} and not {' or '.join(map(str, expected))}"] if status not in expected else []

    def above(self, server: Server, what: str, most: int, within: Run | None, above: Run) -> None:
        with self.watched(server, f"{most:,} {what}, and more") as (wrong, told):
            if within:
                told.append(f"answered {self.deliver(server, within, wrong)}")
            told.append(f"answered {self.deliver(server, above, wrong, (413, 422))}")

    # --- start ----------------------------------------------------------------------------------------------------

    def spooled(self, server: Server) -> None:
        """Delivers runs that take long to judge, for a server that will find them in its spool."""
        with self.watched(server, "runs that take long to judge") as (wrong, told):
            for number in range(4):
                run = reported(made(600 + number), most_tests(), policy={"quarantine": quarantine(1_000)})
                told.append(f"answered {self.deliver(server, run, wrong)}")

    def start(self) -> None:
        """The server was killed while it stored all that it has: it serves at once, and judges that again meanwhile."""
        home, spool = self.folder / "home", self.folder / "home" / "spool"
        spool.mkdir(mode=0o700, exist_ok=True)
        places = [path.parent for path in (home / "runs").glob("*/*/manifest.json")]
        for place in places:
            (spool / place.name).write_text(str(place))
        begun = time.monotonic()
        with serving(self.binary, "serve", **self.options) as server:
            seconds = time.monotonic() - begun
            with self.watched(server, f"a start with {len(places)} runs in the spool") as (wrong, told):
                told.append(f"served after {seconds:.2f} s")
                wrong += [f"the limit is {START} s"] if seconds > START else []
                begun = time.monotonic()
                until_answered(server.port, Run(RECORDED, 1, {}, project="other/kit"), self.ci)
                told.append(f"a delivery of CI taken after {time.monotonic() - begun:.1f} s")
                self.ask(server, ["/", "/runs", "/runs.json", "/metrics", "/search?q=topic"], wrong, told)


def check(binary: str, folder: pathlib.Path, only: list) -> int:
    """Does the named checks, all without a name; returns the exit status."""
    return ServerFloods(binary, folder).play([name for name in NAMES if not only or name in only])
