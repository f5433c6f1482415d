"""The rows of scripts/bench about deliveries, with real servers on loopback."""

import asyncio
import atexit
import concurrent.futures
import contextlib
import itertools
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

import surroundings
from delivering import Link, Run, digest, new_token
from server import serving

TESTS, FILES = 500, 400
# How many machines deliver at once, and what a token may deliver in a minute.
MACHINES, A_MINUTE = 4, 60


class Place:
    """A server and a laptop, each with a home of its own."""

    def __init__(self, bench, name: str):
        self.bench = bench
        self.folder = bench.WORK / "deliveries" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        server, laptop = (self.folder / side for side in ("server", "laptop"))
        self.host = surroundings.environment(server, KANMON_HOME=server / "home", XDG_CONFIG_HOME=server / "config")
        self.laptop = surroundings.environment(laptop, KANMON_HOME=laptop / "home", XDG_CONFIG_HOME=laptop / "config",
                                               GIT_CONFIG_GLOBAL="/dev/null")

    def token(self, name: str) -> str:
        return new_token(self.bench.kanmon(), name, "attest", env=self.host)

    @contextlib.contextmanager
    def serving(self):
        """A server, which the laptop may deliver to."""
        self.laptop["KANMON_TOKEN"] = self.token("laptop")
        with serving(self.bench.kanmon(), "serve", env=self.host) as server:
            yield server

    def kanmon(self, *words) -> str:
        return self.bench.shell(self.bench.kanmon(), *words, env=self.laptop, stderr=subprocess.DEVNULL)

    def runs(self) -> list:
        """Every file of the runs of the laptop."""
        return list((pathlib.Path(self.laptop["KANMON_HOME"]) / "runs").rglob("*"))

    def push(self, address: str) -> None:
        """Delivers every run that the server has not got."""
        self.kanmon("push", "--all", "--deliver-working-copies", "--server", address)


class Relay:
    """Passes on what comes for a server of this machine, and counts it."""

    def __init__(self, port: int):
        self.sent = 0
        self.server = port
        self.loop = asyncio.new_event_loop()
        self.listener = self.loop.run_until_complete(asyncio.start_server(self.connect, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.sockets[0].getsockname()[1]}"
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def connect(self, reader, writer) -> None:
        answers, requests = await asyncio.open_connection("127.0.0.1", self.server)
        await asyncio.gather(self.copy(reader, requests, counts=True), self.copy(answers, writer, counts=False))

    async def copy(self, reader, writer, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(1 << 16):
                if counts:
                    self.sent += len(piece)
                writer.write(piece)
                await writer.drain()
        writer.close()


def second_run(bench) -> list:
    """All that a machine sends for a run of a real package after an edit of one line, against the files that are new in it."""
    place = Place(bench, "second-run")
    package = place.folder / bench.YAMS
    shutil.copytree(bench.clone(bench.YAMS), package)
    git = ["git", "-C", package, "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    sent, files, new = [], {}, 0
    with place.serving() as server:
        for edit in ("", "// One more line.\n"):
            source = package / "Sources" / "Yams" / "Parser.swift"
            source.write_text(source.read_text() + edit)
            bench.shell(*git, "commit", "--quiet", "--all", "--allow-empty", "--message", "an edit")
            place.kanmon("run", "--package-path", package, "--exit-zero")
            relay = Relay(server.port)
            place.push(relay.address)
            sent.append(relay.sent / 1e3)
            found = {digest(path.read_bytes()): path.stat().st_size for path in place.runs() if path.is_file()}
            new = sum(size for name, size in found.items() if name not in files) / 1e3
            files = found
    return [bench.Size(f"delivery: a run of {bench.YAMS} after an edit", sent[1], new, "the files that are new in it", "KB",
                       round(new * 1.2, 1))]


def generated(bench) -> pathlib.Path:
    folder = bench.WORK / f"run-{TESTS}-{FILES}"
    generator = bench.PARTS / "generate-run.py"
    if not bench.newer(folder / "manifest.json", generator):
        shutil.rmtree(folder, ignore_errors=True)
        bench.shell(sys.executable, generator, TESTS, bench.SEED, folder, FILES)
    return folder


def run_of(folder: pathlib.Path, number: int) -> Run:
    """A run with the sources of the others, and with results and coverage of its own."""
    return Run(folder, number, {"xunit.xml": f"<!-- {number} -->", "coverage.lcov": "\n" * (number % 1000)})


def end_to_end(bench, rounds: int = 5) -> list:
    """`kanmon push` of a run, until it is stored and can be read: to an empty server, and to one with its sources."""
    folder, seconds = generated(bench), ([], [])
    for number in range(rounds):
        place = Place(bench, f"end-to-end-{number}")
        with place.serving() as server:
            for which in range(2):
                run = run_of(folder, which)
                place.kanmon("ingest", run.write(place.folder / f"made-{which}"), "--exit-zero")
                begin = time.monotonic()
                place.push(server.address)
                seconds[which].append(time.monotonic() - begin)
    return [bench.Size(f"delivery of {TESTS} tests and {FILES} files: {words}", statistics.median(times), 1, "a second", "s", 1)
            for words, times in zip(("the first", "the next"), seconds)]


def beside_a_hook(bench):
    """A run of a commit that is delivered, against one that is not; both wait for the delivery."""
    place = Place(bench, "hook")
    package = place.folder / "Null"
    bench.null_run(package)
    server = place.serving()
    address = server.__enter__().address
    atexit.register(server.__exit__, None, None, None)
    command = ["env", *(f"{name}={value}" for name, value in place.laptop.items()), bench.kanmon(), "run", "--commit", "HEAD",
               "--package-path", package, "--fresh", "--exit-zero"]
    bench.shell(*command, stderr=subprocess.DEVNULL)
    return bench.Row("null package: a run that is delivered", bench.Side("kanmon", [*command, "--server", address]),
                     bench.Side("without a server", command), "wall", 1.0, 0.05, pairs=9)


def intake(bench, seconds: float = 10) -> list:
    """Runs of known sources from several machines at once, and a page in between."""
    folder, place = generated(bench), Place(bench, "intake")
    numbers = itertools.count()
    first = run_of(folder, next(numbers))
    with place.serving() as server:
        Link(server.port, place.token("first")).deliver(first)
        end = time.monotonic() + seconds

        def machine(which: int) -> int:
            taken = 0
            while time.monotonic() < end:
                # The limit of a token is for machines that loop; here a token has one minute's share.
                link = Link(server.port, place.token(f"machine-{which}-{taken}"))
                for _ in range(A_MINUTE - 1):
                    run = run_of(folder, next(numbers))
                    if time.monotonic() > end:
                        break
                    if (status := link.deliver(run)) != 201:
                        raise bench.CannotMeasure(f"a delivery is answered with {status}")
                    taken += 1
            return taken

        before = processors(server.process.pid)
        reader, pages = Link(server.port, new_token(bench.kanmon(), "reader", "read", env=place.host)), []
        with concurrent.futures.ThreadPoolExecutor(MACHINES) as machines:
            begin = time.monotonic()
            answers = [machines.submit(machine, which) for which in range(MACHINES)]
            while not all(answer.done() for answer in answers):
                asked = time.monotonic()
                status, _ = reader.ask("GET", f"/runs/{first.id}")
                pages.append((time.monotonic() - asked, status))
                time.sleep(0.05)
            taken = sum(answer.result() for answer in answers)
        passed = time.monotonic() - begin
        busy = (processors(server.process.pid) - before) / passed
    if {status for _, status in pages} != {200}:
        raise bench.CannotMeasure("the page beside it is not answered")
    page = statistics.quantiles([time for time, _ in pages], n=20)[-1] * 1e3
    name = f"intake of {TESTS} tests and {FILES} files by {MACHINES} machines"
    return [
        bench.Size(f"{name}: {taken / passed:.1f} runs a second, {busy:.2f} processors", passed / taken * 1e3, 100, "10 a second", "ms a run", 100),
        bench.Size(f"{name}: 95 % of pages beside it", page, 100, "0.1 s", "ms", 100),
    ]


def processors(process: int) -> float:
    """The seconds of processors that a process has taken."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
