"""A server over an object store loses its disk: everything that it answered before is answered again, byte for byte."""

import collections
import concurrent.futures
import html
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import time
import typing
import urllib.parse

import growth
import surroundings
import tools
from between import Between
from delivering import Link, Run, new_token, until_answered
from server import serving

RECORDED = tools.ROOT / "Tests" / "KanmonTests" / "Runs" / "Mixed"
PROJECTS = ["team/kit", "team/app", "team/tool"]
# How many runs a token delivers at most: it may deliver 60 in a minute.
OF_TOKEN = 50
MACHINES = 4
# What a backup has of a home; everything else is lost.
BACKUP = ("tokens.json", "projects.json", "server.key", "badge-secret")
# Pages that tell of this server and not of runs.
LEFT_OUT = re.compile(r"^/(assets|p|machines|metrics|healthz|sign|api)\b|/live\b")
# The only words of a page that the time changes.
AGO = re.compile(rb"just now|\d+ (?:minute|hour|day|week|month|year)s? ago")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


class Rebuilt(typing.NamedTuple):
    seconds: float
    counted: typing.Any
    output: str
    status: int

    @property
    def calls(self) -> int:
        return sum(self.counted.calls.values())

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s, {self.counted}"


class LostDisk:
    def __init__(self, tally, name: str, folder: pathlib.Path, binary: str, middle: Between, store, bucket: str, runs: int, most: int):
        self.tally, self.name, self.folder, self.binary, self.middle = tally, name, folder, binary, middle
        self.store, self.bucket, self.runs, self.most = store, bucket, runs, most
        self.url = f"s3://{bucket}/a team"
        self.home = folder / "home"
        self.environment = surroundings.environment(
            folder, KANMON_HOME=self.home, XDG_CONFIG_HOME=folder / "config"
        ) | store._replace(endpoint=middle.endpoint).environment
        self.options = {"env": self.environment, "cwd": folder}

    def kanmon(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run([self.binary, *words], text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, **self.options)

    def serving(self):
        return serving(self.binary, "serve", "--least-free", "0", "--objects", self.url, **self.options)

    # --- what is delivered ------------------------------------------------------------------------------------------

    def deliver(self, port: int, numbers: range, tokens: list) -> None:
        def one(number: int) -> None:
            run = Run(RECORDED, number, {"build.log": f"{number}\n"}, project=PROJECTS[number % len(PROJECTS)])
            until_answered(port, run, tokens[number // OF_TOKEN])

        with concurrent.futures.ThreadPoolExecutor(MACHINES) as machines:
            for answer in [machines.submit(one, number) for number in numbers]:
                answer.result()

    # --- what is answered -------------------------------------------------------------------------------------------

    @staticmethod
    def ask(link: Link, address: str) -> tuple:
        for _ in range(60):
            answer, body = link.exchange("GET", address)
            if answer.status not in (429, 503):
                break
            time.sleep(float(answer.headers.get("Retry-After") or 1))
        return answer.status, AGO.sub(b"some time ago", body)

    def crawl(self, port: int, reader: str) -> dict:
        """Every answer by its address: what pages link to, and the data of each."""
        link, answers, counts = Link(port, reader), {}, collections.Counter()
        waiting = collections.deque(["/", "/runs", "/index.json", "/runs.json"])
        known = set(waiting)
        while waiting:
            address = waiting.popleft()
            answers[address] = status, body = self.ask(link, address)
            if status != 200 or not body.startswith(b"<!doctype"):
                continue
            links = [html.unescape(found).split("#")[0] for found in re.findall(r'href="([^"]*)"', body.decode())]
            for target in [twin(address), *links]:
                if not target.startswith("/") or target.startswith("//") or target in known or LEFT_OUT.search(target):
                    continue
                known.add(target)
                parts = urllib.parse.urlsplit(target)
                kind = ID.sub("ID", parts.path), tuple(sorted(urllib.parse.parse_qs(parts.query)))
                counts[kind] += 1
                if not self.most or counts[kind] <= self.most:
                    waiting.append(target)
        link.connection.close()
        return answers

    def different(self, port: int, reader: str, before: dict) -> list:
        """The addresses that are answered otherwise than before."""
        link = Link(port, reader)
        wrong = []
        for address, expected in before.items():
            found = self.ask(link, address)
            if found != expected:
                wrong.append(f"{address}: {found[0]}, {len(found[1])} bytes, and before {expected[0]}, {len(expected[1])} bytes")
        link.connection.close()
        return wrong[:10] + ([f"and {len(wrong) - 10} more"] if len(wrong) > 10 else [])

    # --- the disk ---------------------------------------------------------------------------------------------------

    def lose_disk(self) -> None:
        """Throws the home away, but for what a backup has."""
        kept = self.folder / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for name in BACKUP:
            if (self.home / name).exists():
                shutil.copy2(self.home / name, kept / name)
        shutil.rmtree(self.home)
        shutil.copytree(kept, self.home)
        self.home.chmod(0o700)

    def rebuild(self, *words) -> Rebuilt:
        self.middle.begin()
        begun = time.monotonic()
        done = self.kanmon("db", "rebuild", "--from-objects", self.url, *words)
        return Rebuilt(time.monotonic() - begun, self.middle.counted(), done.stdout, done.returncode)

    def tell(self, what: str, rebuilt: Rebuilt, wrong: list | None = None) -> None:
        faults = [] if rebuilt.status == 0 else [f"status {rebuilt.status}", rebuilt.output[-2000:]]
        self.tally.tell(f"{self.name}: {what}: {rebuilt}", faults + (wrong or []))

    def count(self) -> int:
        with sqlite3.connect(f"file:{self.home / 'kanmon.sqlite'}?mode=ro", uri=True) as store:
            return store.execute("SELECT count(*) FROM run").fetchone()[0]

    def play(self) -> None:
        self.store.client().create_bucket(Bucket=self.bucket)
        tokens = [new_token(self.binary, f"ci-{number}", "attest", **self.options) for number in range(self.runs // OF_TOKEN + 1)]
        reader = new_token(self.binary, "reader", "read", **self.options)
        half = self.runs // 2
        with self.serving() as server:
            self.deliver(server.port, range(half), tokens)
        self.lose_disk()
        first = self.rebuild("--no-snapshot")
        self.tell(f"{half} runs come back, each judged", first, [] if self.count() == half else [f"{self.count()} runs"])
        self.middle.begin()
        begun = time.monotonic()
        with self.serving() as server:
            self.deliver(server.port, range(half, self.runs), tokens)
            puts = self.middle.counted()
            self.tally.tell(f"{self.name}: {self.runs - half} deliveries in {time.monotonic() - begun:.1f} s, {puts}", [])
            end = time.monotonic() + 120
            while not (self.home / "objects.json").exists() and time.monotonic() < end:
                time.sleep(0.2)
            before = self.crawl(server.port, reader)
            bad = [f"{address}: {status}" for address, (status, _) in before.items() if status >= 500]
            self.tally.tell(f"{self.name}: {len(before)} addresses were answered", bad[:10])
        self.middle.begin()
        begun = time.monotonic()
        left = self.kanmon("objects", "snapshot", self.url)
        counted = self.middle.counted()
        self.tally.tell(f"{self.name}: a snapshot in {time.monotonic() - begun:.1f} s, {counted}",
                        [] if left.returncode == 0 else [left.stdout])
        index = (self.home / "kanmon.sqlite").stat().st_size
        self.growth(index, counted.sent, puts)

        self.lose_disk()
        with_snapshot = self.rebuild()
        self.tell(f"{self.runs} runs from the snapshot, whose files stay where they are", with_snapshot,
                  ([] if self.count() == self.runs else [f"{self.count()} runs"])
                  + ([] if "took " in with_snapshot.output else ["no snapshot was used", with_snapshot.output]))
        with self.serving() as server:
            self.tally.tell(f"{self.name}: every answer is what it was, with the snapshot", self.different(server.port, reader, before))

        self.lose_disk()
        without = self.rebuild("--no-snapshot")
        self.tell(f"{self.runs} runs come back, each judged", without)
        with self.serving() as server:
            self.tally.tell(f"{self.name}: every answer is what it was, without a snapshot", self.different(server.port, reader, before))
        share = with_snapshot.seconds / without.seconds
        self.tally.tell(f"{self.name}: the snapshot takes {share:.2f} of the time", [] if share <= 0.1 else ["more than a tenth"])
        growing = without.calls / first.calls / (self.runs / half)
        self.tally.tell(f"{self.name}: calls grow as the runs do: {growing:.2f}", [] if growing <= 1.1 else ["more than linear"])
        checked = self.kanmon("objects", "check", "--read", self.url)
        self.tally.tell(f"{self.name}: {checked.stdout.strip()[-300:]}", [] if checked.returncode == 0 else [checked.stdout])

    def growth(self, index: int, snapshot: int, puts) -> None:
        """Prints what a year comes to."""
        pages = self.store.client().get_paginator("list_objects_v2").paginate(Bucket=self.bucket)
        sizes = collections.Counter()
        counts = collections.Counter()
        for page in pages:
            for found in page.get("Contents", []):
                kind = found["Key"].split("/v1/")[-1].split("/")[0]
                counts[kind] += 1
                sizes[kind] += found["Size"]
        for kind in ("snapshots", "indexes"):
            counts[kind] = sizes[kind] = 0
        measured = growth.Measured(
            objects=counts.total() / self.runs, blobs=counts["blobs"] / self.runs, size=sizes.total() / self.runs,
            puts=puts.calls["PUT"] / max(1, self.runs - self.runs // 2), index=index / self.runs, snapshot=snapshot / self.runs)
        print(json.dumps({"runs": self.runs} | {name: round(number, 2) for name, number in measured._asdict().items()}))
        print(growth.table(measured), flush=True)


def twin(address: str) -> str:
    """The address of the data of a page."""
    parts = urllib.parse.urlsplit(address)
    if pathlib.PurePosixPath(parts.path).suffix in (".json", ".svg", ".atom"):
        return ""
    return ("/index" if parts.path == "/" else parts.path.rstrip("/")) + ".json" + (f"?{parts.query}" if parts.query else "")
