"""Asks a server for what is hidden from the asker, and for what does not exist: no answer may tell one from the other."""

import contextlib
import http.client
import itertools
import json
import pathlib
import random
import re
import socket
import statistics
import time
import urllib.parse
from typing import NamedTuple

from delivering import Link, Run, digest, progress

METHODS = ("GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH")
# What a request may bring along besides its token.
FIELDS = ({}, {"If-None-Match": "*"}, {"If-None-Match": '"0"', "Accept": "application/json"}, {"Range": "bytes=0-0"})
SCOPES = ("submit", "attest", "read", "admin")
TRIES = 200
# About how many addresses of each form are requested.
FEW = 6
NUMBERS = itertools.count()
# Seconds that two medians may differ, however steady the machine is.
NOISE = 0.0003
# Seconds after which a token that was revoked has ended everything.
SOON = 10
# What the system of a client that reads slowly may have received, in bytes.
FEW_BYTES = 64 << 10


class Told(NamedTuple):
    """All that an answer tells: its status, its fields without the date, its text."""

    status: int
    fields: tuple
    text: bytes


class Pair(NamedTuple):
    """The same call of something hidden and of nothing, with what names these."""

    hidden: str
    nothing: str


def neighbour(name: str, known: set = frozenset()) -> str:
    """A name of nothing that is as long as another one, in an address too; of an id or a hash one that is none of those known."""
    digits = "0123456789abcdef"
    if not re.fullmatch("[0-9a-f-]{36,40}", name):
        return name[:-1] + chr(ord(name[-1]) + 1)
    last = (digits.index(name[-1]) + step for step in range(1, 16))
    return next(other for digit in last if (other := name[:-1] + digits[digit % 16]) not in known)


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def spellings(name: str) -> tuple:
    """How a name is written in answers and addresses."""
    return name, quoted(name), urllib.parse.quote(name)


def of_each_form(paths) -> list:
    """Of addresses that differ in ids and values only, a few."""
    forms = {}
    for path in sorted(paths):
        forms.setdefault(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|=[^&]*|/p/.*/", "", path), []).append(path)
    return sorted(path for found in forms.values() for path in found[::1 + len(found) // FEW])


class Walls:
    def __init__(self, tally, port: int, token, recorded: pathlib.Path):
        self.tally, self.port, self.new_token, self.recorded = tally, port, token, recorded
        self.links, self.count = {}, 0

    def ask(self, token: str | None, method: str, path: str, body: bytes | None = None, fields: dict | None = None) -> Told:
        link = self.links.setdefault(token, Link(self.port, token or ""))
        plain, link.headers = link.headers, link.headers | (fields or {})
        try:
            try:
                answer, text = link.exchange(method, path, body)
            except (http.client.HTTPException, OSError):
                # The server has closed it, because it was idle or the request was refused.
                answer, text = link.exchange(method, path, body)
        finally:
            link.headers = plain
        self.count += 1
        return Told(answer.status, tuple((name, value) for name, value in answer.getheaders() if name.lower() != "date"), text)

    def same(self, what: str, names: list, first: Told, second: Told) -> list:
        """What differs between two answers, where what was asked for may come back as it was asked for."""

        def plain(told: Told, side: int) -> Told:
            text, fields = told.text.replace(b"<wbr>", b""), "\n".join(map(": ".join, told.fields))
            # The tag of a page that shows what was asked for differs with that.
            fields = re.sub('ETag: ".*"', "ETag", fields) if "/search" in what else fields
            for number, name in enumerate(names):
                for spelled in spellings(name[side]):
                    text = text.replace(spelled.encode(), f"<{number}>".encode())
                    fields = fields.replace(spelled, f"<{number}>")
            return Told(told.status, fields, text)

        one, two = plain(first, 0), plain(second, 1)
        if one == two:
            return []
        lines = [[str(told.status), *told.fields.splitlines(), *told.text.decode(errors="replace").splitlines()] for told in (one, two)]
        apart = [" | ".join(line for line in mine if line not in other)[:200] for mine, other in (lines, lines[::-1])]
        return [f"{what}: {apart[0]}\nnothing: {apart[1]}"]

    def pages(self, mine: str, other: str, runs: set, commits: set, found: dict) -> None:
        """Every address that has something hidden in it, with every method, for tokens of every scope and without one.

        What is hidden is a project, its runs and the commits that only it has.
        """
        names = [Pair(other, neighbour(other))]
        names += [Pair(name, neighbour(name, known)) for known in (runs, commits) for name in sorted(known)]

        def nothing(path: str) -> str:
            for name in names:
                for hidden, other in zip(spellings(name.hidden), spellings(name.nothing)):
                    path = path.replace(hidden, other)
            return path

        asked = set(found) | {form + name for form in ("/commit?id=", "/commit.json?id=", "/search?q=", "/search.json?q=")
                              for name in sorted(runs)[:2] + sorted(commits)[:2]}
        asked |= {f"/{path}?project={quoted(other)}{more}"
                  for path in ("badge.svg", "badge.json", "regressions.atom", "latest", "branch", "branch.json")
                  for more in ("", f"&key={'0' * 32}", "&branch=main")}
        paths = of_each_form(path for path in asked if nothing(path) != path)
        tokens = {scope: self.new_token(f"walls-{scope}-{next(NUMBERS)}", scope, mine) for scope in SCOPES}
        tokens["nobody"] = None
        for who, token in tokens.items():
            wrong, before = [], self.count
            for path in paths:
                for method in METHODS:
                    # Nothing but reading looks at these fields.
                    for fields in FIELDS if method in ("GET", "HEAD") and who in ("read", "admin") else FIELDS[:1]:
                        first, second = (self.ask(token, method, where, b"{}" if method in ("PUT", "POST", "PATCH") else None, fields)
                                         for where in (path, nothing(path)))
                        wrong += self.same(f"{method} {path} {fields}", names, first, second)
            self.tally.tell(f"{who}: {len(paths)} addresses of {other} are answered like those of nothing, byte for byte, "
                            f"in {self.count - before} requests", wrong[:5])
        reader = tokens["read"]
        wrong = []
        for path in [path for path in paths if re.fullmatch(r"/runs/[^/]+|/project\?.*|/runs/[^/]+\.json", path)][:3]:
            wrong += self.times(path, lambda where: self.ask(reader, "GET", where), [path, nothing(path)])
        self.tally.tell(f"and in the same time, over {TRIES} tries", wrong)

    def times(self, what: str, ask, sides: list) -> list:
        """What differs between the times of two calls that take turns."""
        seconds = ([], [])
        for _ in range(TRIES):
            for side, where in random.sample(list(enumerate(sides)), 2):
                begun = time.perf_counter()
                ask(where)
                seconds[side].append(time.perf_counter() - begun)
        one, two = map(statistics.median, seconds)
        quarters = statistics.quantiles(seconds[1], n=4)
        allowed = max(NOISE, (quarters[2] - quarters[0]) / 2)
        return [] if abs(one - two) <= allowed else [f"{what}: {one * 1e3:.3f} ms, nothing {two * 1e3:.3f} ms, noise {allowed * 1e3:.3f} ms"]

    def deliveries(self, mine: str, other: str) -> None:
        """Delivers a run of a hidden project, and then its id, its files and its live progress with tokens of another project."""

        def run(project: str) -> Run:
            number = 100 + next(NUMBERS)
            return Run(self.recorded, number, {"build.log": f"a secret of run {number}\n"}, project=project)

        hidden = run(other)
        ci = self.new_token(f"walls-ci-{next(NUMBERS)}", "attest", other)
        status = Link(self.port, ci).deliver(hidden)
        self.tally.tell(f"CI delivers a run of {other}", [] if status == 201 else [f"status {status}"])
        for scope in ("submit", "attest", "admin"):
            wrong, before = [], self.count
            for taken in ("id", "file"):
                # A token that has sent nothing yet for each side: what it sent itself it may know.
                sides = [self.new_token(f"walls-{scope}-{taken}-{side}", scope, mine) for side in ("hidden", "nothing")]
                stories, names = [], []
                for side, token in enumerate(sides):
                    own = run(mine)
                    if taken == "id":
                        own.rename(hidden.id if side == 0 else neighbour(hidden.id, {hidden.id}))
                    else:
                        # The bytes are those of the hidden run, or of nobody.
                        secret = hidden.files["build.log"] if side == 0 else hidden.files["build.log"].replace(b"secret", b"zecret")
                        own.replace("build.log", secret)
                    stories.append(self.story(token, own))
                    names.append([own.id, digest(own.files["manifest.json"]), digest(own.files["build.log"])])
                pairs = [Pair(*pair) for pair in zip(*names)]
                for number, (first, second) in enumerate(zip(*stories)):
                    wrong += self.same(f"{taken}, step {number}", pairs, first, second)
            self.tally.tell(f"{scope}: an id and a file of {other} are asked for, refused and taken like those of nobody, "
                            f"in {self.count - before} requests", wrong[:5])
        answer = self.ask(self.new_token("walls-again", "read", other), "GET", f"/runs/{hidden.id}.json")
        self.tally.tell("the run of CI is what it was", [] if answer.status == 200 else [f"status {answer.status}"])

    def download(self, mine: str, revoke) -> None:
        """Reads a large file slowly with a token that is revoked meanwhile."""
        run = Run(self.recorded, 21, {"build.log": "a line\n" * 3_000_000}, project=mine)
        status = Link(self.port, self.new_token("walls-large", "attest", mine)).deliver(run)
        token = self.new_token("walls-slow", "read", mine)
        size = len(run.files["build.log"])
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.settimeout(SOON)
            slow.connect(("127.0.0.1", self.port))
            slow.sendall(f"GET /runs/{run.id}/evidence?file=build.log HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            wrong = [] if status == 201 and slow.recv(4096).startswith(b"HTTP/1.1 200") else [f"status {status}"]
            revoke("walls-slow")
            # The server has ended it by now, and nothing of it is on its way but what this machine has received.
            time.sleep(SOON / 4)
            rest = 0
            with contextlib.suppress(ConnectionResetError):
                while piece := slow.recv(1 << 16):
                    rest += len(piece)
        wrong += [f"{rest >> 10} of {size >> 10} KiB came afterwards"] if rest > FEW_BYTES else []
        self.tally.tell(f"a download of {size >> 10} KiB ends with its token, {rest >> 10} KiB came afterwards", wrong)

    def ending(self, mine: str, revoke) -> None:
        """Follows a run in progress with a token that is revoked meanwhile."""
        run = Run(self.recorded, 20, {}, project=mine)
        sender = self.new_token("walls-follows", "submit", mine)
        told = self.ask(sender, "PUT", f"/api/v1/live/{run.id}", self.live(run))
        wrong = [] if told.status == 200 else [f"status {told.status}"]
        link = Link(self.port, self.new_token("walls-revoked", "read", mine))
        link.connection.timeout = SOON
        link.connection.request("GET", f"/runs/{run.id}/events", headers=link.headers)
        answer = link.connection.getresponse()
        wrong += [] if answer.status == 200 and answer.fp.readline() else [f"status {answer.status}"]
        revoke("walls-revoked")
        begun = time.monotonic()
        try:
            while answer.fp.readline() and time.monotonic() - begun < SOON:
                # Whoever delivers goes on telling.
                self.ask(sender, "PUT", f"/api/v1/live/{run.id}", self.live(run))
        except (ConnectionResetError, TimeoutError):
            pass
        wrong += [f"it is still open after {SOON} s"] if time.monotonic() - begun >= SOON else []
        self.tally.tell(f"a page that follows a run ends with its token, after {time.monotonic() - begun:.1f} s", wrong)

    def live(self, run: Run) -> bytes:
        """The progress of a run, as its machine tells of it."""
        return progress(run.id, run.manifest["seed"], run.manifest["project"])

    def story(self, token: str, run: Run) -> list:
        """What a machine is told that offers a run, sends wrong and right files, and tells of the run."""
        log, project = digest(run.files["build.log"]), quoted(run.manifest["project"])
        listing = json.loads(run.list)
        larger = json.loads(run.list)
        for file in larger["files"]:
            file["size"] += file["path"] == "build.log"
        told = [
            self.ask(token, "PUT", f"/api/v1/live/{run.id}", self.live(run)),
            self.ask(token, "PUT", f"/api/v1/runs/{run.id}", json.dumps(larger).encode()),
            self.ask(token, "PUT", f"/api/v1/runs/{run.id}", json.dumps(listing).encode()),
            self.ask(token, "PUT", f"/api/v1/blobs/{log}", b"other bytes"),
            # What was once a difference from a file of another run.
            self.ask(token, "PUT", f"/api/v1/blobs/{log}?project={project}&earlier={run.id}&file=build.log", b"\x02\x02\x90\x02"),
        ]
        told += [self.ask(token, "PUT", f"/api/v1/blobs/{name}", content) for name, content in sorted(run.blobs.items(), key=lambda blob: blob[1])]
        told += [self.ask(token, "PUT", f"/api/v1/runs/{run.id}", json.dumps(body).encode()) for body in (larger, listing, listing)]
        # Which of the files the server asks for first is nothing that it tells: they are sorted here.
        return [answer._replace(text=json.dumps(json.loads(answer.text), sort_keys=True).encode()) if answer.text.startswith(b"{") else answer
                for answer in told]
