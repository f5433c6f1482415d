"""Hostile tokens: two that may deliver to a project, one of a laptop and one of CI, and one that may read another. Each does at all times
what it can.

Whatever an answer tells of what the token may not read is kept in `told`; the rest of the rehearsal sees what they cost.
"""

import collections
import contextlib
import http.client
import json
import random
import socket
import urllib.parse

from delivering import Link, Run, digest, progress
from hidden import Pair, Walls, neighbour

# What a server says to whoever asks for too much; it says nothing of what is asked for.
CROWDED = (429, 503, 507)
LONG = "a" * 44


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


class Stranger:
    """One of many hands of a hostile token."""

    def __init__(self, port: int, token: str, recorded, seed: int):
        self.port, self.token, self.recorded = port, token, recorded
        self.random = random.Random(seed)
        self.link = Link(port, token)
        self.told, self.answers = [], collections.Counter()

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple:
        """The status and the text; 0 where the server closed the connection."""
        try:
            status, text = self.link.ask(method, path, body)
        except (OSError, http.client.HTTPException):
            status, text = 0, b""
        self.answers[status] += 1
        return status, text

    def suspect(self, what: str, status: int, expected: tuple) -> None:
        """Keeps an answer that nobody should get."""
        if status not in (*expected, *CROWDED, 0):
            self.told.append(f"{what} is answered with {status}")

    def act(self) -> None:
        """Does one thing."""
        self.random.choice(self.ways())()

    def ways(self) -> list:
        raise NotImplementedError


class Sender(Stranger):
    """May deliver to one project: sends what takes long to judge, fills disk and memory, and takes what is not its own."""

    def __init__(self, port, token, recorded, seed, project: str, secret: Run, announced):
        super().__init__(port, token, recorded, seed)
        self.project, self.secret, self.announced = project, secret, announced
        # What its own runs do not have.
        self.hidden = sorted(set(secret.blobs) - set(self.run().blobs))

    def ways(self) -> list:
        return [self.heavy, self.numbers, self.files, self.borrow, self.impostor, self.progress, self.verdicts, self.outside, self.peek]

    def run(self, project: str | None = None) -> Run:
        return Run(self.recorded, self.random.getrandbits(60), {}, project=project or self.project)

    def heavy(self) -> None:
        """A run of up to 0.7 MiB that every rule has to go through."""
        run = self.run()
        policy = json.loads(run.files["policy.json"])
        shape = self.random.choice(("excludes", "wild", "quarantine", "budgets", "modules"))
        if shape in ("excludes", "wild"):
            policy["excludes"] = [f"Sources/{LONG}{n}x.swift" if shape == "excludes" else f"**/*{n}*/*a*"
                                  for n in range(10_000 if shape == "excludes" else 400)]
        elif shape == "quarantine":
            policy["quarantine"] = [{"test": f"M.S/{LONG}{n}x", "owner": "o", "reason": "r", "expires": "2099-01-01"} for n in range(1_000)]
        elif shape == "budgets":
            policy["budgets"] = [{"pattern": f"M/S/{LONG}{n}", "bound": 10 ** 9} for n in range(5_000)]
        else:
            policy["modules"] = [{"pattern": f"{LONG}{n}", "floors": {"line": "90"}} for n in range(5_000)]
        run.replace("policy.json", json.dumps(policy).encode())
        tests = [f"{LONG}{n}" for n in range(3_000)]
        run.replace("xctest-list.json", json.dumps({"name": "All tests", "tests": [{"name": "debug.xctest", "tests": [
            {"name": "M.S", "tests": [{"name": name} for name in tests]}]}]}).encode())
        run.replace("observer.jsonl", "".join(
            json.dumps(dict(ev=event, t=1.0, cls="M.S", name=name, **more)) + "\n" for name in tests
            for event, more in (("start", {}), ("end", {"dur": 9.0, "skipped": False, "failures": 0, "unexpected": 0}))).encode())
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.answers[self.link.deliver(run)] += 1

    def numbers(self) -> None:
        """A list of files that is one of numbers."""
        run = self.run()
        body = b'{"schemaVersion":1,"project":"kit","files":[' + b"1," * (3 << 20) + b"1]}"
        status, _ = self.ask("PUT", f"/api/v1/runs/{run.id}", body)
        self.suspect("a list of numbers", status, (400, 413))

    def files(self) -> None:
        """Files that no run will ever have."""
        content = self.random.randbytes(1 << 18)
        status, _ = self.ask("PUT", f"/api/v1/blobs/{digest(content)}", content)
        self.suspect("a file", status, (200, 201))

    def borrow(self) -> None:
        """Lists the files of another project's run as its own, with right and wrong bytes."""
        run, name = self.run(), self.random.choice(self.hidden)
        files = [{"path": "manifest.json", "sha256": name, "size": len(self.secret.blobs[name])}]
        status, text = self.ask("PUT", f"/api/v1/runs/{run.id}", json.dumps(
            {"schemaVersion": 1, "project": self.project, "files": files}).encode())
        if status == 202 and json.loads(text)["missing"] != [name]:
            self.told.append(f"a file of another project is not asked for: {text[:200]}")
        self.suspect("a list with a file of another project", status, (202,))
        status, text = self.ask("PUT", f"/api/v1/blobs/{name}", b"guess")
        self.suspect("wrong bytes of another project's file", status, (422,))
        if any(other.encode() in text for other in self.hidden if other != name):
            self.told.append(f"another hash is told: {text[:200]}")

    def impostor(self) -> None:
        """Takes the ids of runs that CI has in progress, and of those that it has delivered."""
        with contextlib.suppress(Exception):
            self.secret_id = self.announced.get_nowait()
        run = self.run()
        run.rename(getattr(self, "secret_id", self.secret.id))
        status, _ = self.ask("PUT", f"/api/v1/live/{run.id}", self.live(run))
        self.suspect("the progress of a run of CI", status, (422,))
        with contextlib.suppress(OSError, http.client.HTTPException):
            status = self.link.deliver(run)
            self.answers[status] += 1
            self.suspect("a run under an id of CI's", status, (422,))

    def progress(self) -> None:
        """Tells of runs that are none."""
        run = self.run()
        status, _ = self.ask("PUT", f"/api/v1/live/{run.id}", self.live(run))
        self.suspect("the progress of a run", status, (200,))

    def verdicts(self) -> None:
        """Asks for verdicts on trees, of other projects too."""
        query = urllib.parse.urlencode({
            "project": self.random.choice((self.project, self.secret.manifest["project"])), "folder": "",
            "tree": f"{self.random.getrandbits(160):040x}", "nonce": f"{self.random.getrandbits(256):064x}"})
        status, _ = self.ask("GET", f"/api/v1/verdicts?{query}")
        self.suspect("a verdict", status, (200, 400, 403, 404))

    def outside(self) -> None:
        """Delivers and tells of a run of a project that is not its own."""
        run = self.run(self.secret.manifest["project"])
        for path, body in ((f"/api/v1/runs/{run.id}", run.list), (f"/api/v1/live/{run.id}", self.live(run))):
            status, _ = self.ask("PUT", path, body)
            self.suspect("a run of another project", status, (403,))

    def peek(self) -> None:
        """Reads pages, which it may not."""
        status, _ = self.ask("GET", self.random.choice((
            "/", "/runs.json", "/metrics", f"/runs/{self.secret.id}", f"/runs/{self.secret.id}/evidence?file=build.log",
            f"/runs/{self.run().id}.json", f"/project.json?project={quoted(self.project)}", "/search.json?q=Greeting")))
        self.suspect("a page that a token for deliveries asks for", status, (403,))

    def live(self, run: Run) -> bytes:
        return progress(run.id, run.manifest["seed"], run.manifest["project"])


class Snooper(Stranger):
    """May read one project: looks for what it may not see, asks for the heaviest lists, follows a run, and does not read the answers."""

    # Connections at a time whose answers are not read, of each hand.
    HELD = 40
    LISTS = ("index", "runs", "machines", "flaky", "slow", "exceptions", "owners", "known-issues", "exclusions", "selection", "unverified")
    ORDERS = ("name", "time", "verdict", "outcome", "coverage", "missed", "duration", "median", "longest", "disagreements", "flips",
              "failures", "recoveries", "files", "lines", "owner", "expires", "runs", "waiting", "refused", "flaky", "slow", "tests",
              "deselected", "rate")

    def __init__(self, port, token, recorded, seed, project: str, large: str, followed: str, secret: Run):
        super().__init__(port, token, recorded, seed)
        self.project, self.large, self.followed, self.secret = project, large, followed, secret
        self.hidden = [name.encode() for name in (secret.id, secret.manifest["project"], quoted(secret.manifest["project"]))]
        self.walls = Walls(None, port, None, recorded)
        self.held = collections.deque()

    def ways(self) -> list:
        return [self.compare, self.compare, self.heavy, self.lists, self.search, self.hold, self.sign_in, self.guess]

    def look(self, path: str) -> None:
        """Asks for something in which nothing hidden was named, so that nothing of that may be in the answer."""
        _, text = self.ask("GET", path)
        if any(name in text for name in self.hidden):
            self.told.append(f"{path} tells of another project")

    def compare(self) -> None:
        """Asks for something hidden and for nothing."""
        run, other = self.secret.id, self.secret.manifest["project"]
        names = [Pair(run, neighbour(run, {run})), Pair(other, neighbour(other))]
        path = self.random.choice((
            f"/runs/{run}", f"/runs/{run}.json", f"/runs/{run}/coverage.json", f"/runs/{run}/live", f"/runs/{run}/events",
            f"/compare?before={run}&after={self.large}", f"/runs?before={run}", f"/project?project={quoted(other)}",
            f"/branch.json?project={quoted(other)}&branch=main", f"/badge.svg?project={quoted(other)}", f"/flaky.json?project={quoted(other)}",
            f"/search.json?q={run}", f"/commit.json?id={run[:12].replace('-', '')}", f"/p/{quoted(other)}/latest.json",
            f"/regressions.atom?project={quoted(other)}&key={'0' * 32}"))
        method, fields = self.random.choice((("GET", {}), ("HEAD", {}), ("GET", {"If-None-Match": "*"}), ("GET", {"Range": "bytes=0-0"})))
        nothing = path
        for pair in names:
            for hidden, none in zip((pair.hidden, quoted(pair.hidden)), (pair.nothing, quoted(pair.nothing))):
                nothing = nothing.replace(hidden, none)
        try:
            first, second = (self.walls.ask(self.token, method, where, None, fields) for where in (path, nothing))
        except (OSError, http.client.HTTPException):
            return
        self.answers.update([first.status, second.status])
        if {first.status, second.status}.isdisjoint(CROWDED):
            self.told += self.walls.same(f"{method} {path}", names, first, second)

    def heavy(self) -> None:
        path = self.random.choice((
            "/runs.json?sort=duration&author=nobody", "/runs?sort=coverage", "/index.json", "/metrics", f"/runs/{self.large}.json",
            f"/slow.json?project={quoted(self.project)}", f"/flaky?project={quoted(self.project)}", "/search?q=" + "a" * 300,
            f"/runs/{self.large}/policy?line=99", f"/compare.json?before={self.large}&after={self.large}"))
        self.look(path)

    def lists(self) -> None:
        """A list in one of its orders; what a list does not know is refused."""
        form, order = self.random.choice(("", ".json")), self.random.choice(self.ORDERS)
        name = self.random.choice((*self.LISTS, f"runs/{self.large}/tests", f"runs/{self.large}/coverage"))
        self.look(f"/{'' if (name, form) == ('index', '') else name}{form}?project={quoted(self.project)}&target=GreetingTests&sort={order}"
                  f"&order={self.random.choice(('asc', 'desc'))}")

    def search(self) -> None:
        """What nearly everything has in its name, and what nothing has."""
        text = self.random.choice(("test", "Greeting", "e", "_" * 100, LONG * 4, f"{self.random.getrandbits(32):x}", "a b c d e f g h"))
        self.look(f"/search{self.random.choice(('', '.json'))}?q={quoted(text)}")

    def hold(self) -> None:
        """Asks for much and reads nothing of it."""
        if len(self.held) >= self.HELD:
            self.held.popleft().close()
        path = self.random.choice((f"/runs/{self.large}.json", f"/runs/{self.large}/tests.json?target=GreetingTests",
                                   f"/runs/{self.large}/evidence?file=observer.jsonl", f"/runs/{self.followed}/events"))
        asking = socket.socket()
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asking.settimeout(5)
        with contextlib.suppress(OSError):
            asking.connect(("127.0.0.1", self.port))
            asking.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode() * 4)
            self.held.append(asking)

    def sign_in(self) -> None:
        body = urllib.parse.urlencode({"token": self.token, "to": "/"}).encode()
        status, _ = self.ask("POST", "/sign-in", body)
        self.suspect("a sign-in", status, (200, 303, 400, 403, 415))

    def guess(self) -> None:
        """Credentials that are none."""
        link = Link(self.port, "kanmon_" + f"{self.random.getrandbits(200):050x}")
        with contextlib.suppress(OSError, http.client.HTTPException):
            status, _ = link.ask("GET", "/runs.json")
            self.answers[status] += 1
            self.suspect("a token that is none", status, (401,))
        link.connection.close()
