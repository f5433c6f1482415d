"""Three servers over the same objects, of which one is killed again and again."""

import collections
import contextlib
import http.client
import json
import pathlib
import random
import threading
import time
import urllib.parse

import tools
from balancer import balancing
from delivering import Link, Run, new_token, until_answered
from members import Member, wait_until

RECORDED = tools.ROOT / "Tests" / "KanmonTests" / "Runs" / "Mixed"
SERVERS, MACHINES, READERS = 3, 20, 5
PROJECTS = [f"team/kit-{number}" for number in range(4)]
# Seconds between two pages of a reader.
LOOKS = 1.0
# How many of a hundred runs are delivered once more, by another machine.
TWICE = 10


class Kills:
    def __init__(self, tally, folder: pathlib.Path, binary: str, url: str, environment: dict, ports: list, options):
        self.tally, self.folder, self.binary, self.url, self.options = tally, folder, binary, url, options
        self.environment, self.ports = environment, ports
        self.lock = threading.Lock()
        self.taken, self.faults = {}, []
        self.looks, self.cuts = collections.Counter(), 0

    def play(self) -> None:
        first = self.folder / "first"
        made = {"env": self.environment | {"KANMON_HOME": str(first)}, "cwd": self.folder}
        senders = [new_token(self.binary, f"machine-{number}", "attest" if number % 2 else "submit", **made) for number in range(MACHINES)]
        reader = new_token(self.binary, "reader", "read", **made)
        members = [Member(f"server-{number}", self.folder, self.binary, port, self.url, self.environment, first / "tokens.json")
                   for number, port in enumerate(self.ports)]
        try:
            for member in members:
                member.start()
            up = [member.name for member in members if not member.answers()]
            if up:
                return self.tally.tell("three servers start", [f"{name} does not: see {self.folder / name / 'log'}" for name in up])
            with balancing(self.ports) as port:
                self.act(members, port, senders, reader)
            self.judge(members, reader)
        finally:
            for member in members:
                member.end()

    # --- meanwhile --------------------------------------------------------------------------------------------------

    def act(self, members: list, port: int, senders: list, reader: str) -> None:
        until = time.monotonic() + self.options.minutes * 60
        over = threading.Event()
        machines = [threading.Thread(target=self.machine, args=(number, port, senders, until), daemon=True) for number in range(MACHINES)]
        readers = [threading.Thread(target=self.reader, args=(number, port, reader, over), daemon=True) for number in range(READERS)]
        for thread in machines + readers:
            thread.start()
        chance, kills, lost = random.Random(self.options.seed), 0, 0
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(self.options.every, left))
            if time.monotonic() >= until:
                break
            member = members[kills % len(members)]
            member.kill()
            kills += 1
            if chance.random() < 0.5:
                member.new_disk()
                lost += 1
            member.start()
        for member in members:
            if not member.answers():
                self.faults.append(f"{member.name} does not come back: see {member.log}")
        # Who delivers goes on until there is an answer.
        for thread in machines:
            thread.join(timeout=300)
        waiting = sum(thread.is_alive() for thread in machines)
        over.set()
        for thread in readers:
            thread.join(timeout=70)
        self.tally.tell(f"{kills} kills, {lost} of them with the disk; {len(self.taken)} runs were taken",
                        self.faults + ([f"{waiting} machines still wait"] if waiting else [])
                        + ([] if self.taken else ["nothing was delivered"]))
        wrong = [f"{what}, {count} times" for what, count in self.looks.items() if not what.endswith((": 200", ": 404"))]
        self.tally.tell(f"{self.looks.total()} pages were read, and {self.cuts} connections were cut", wrong)

    def machine(self, number: int, port: int, senders: list, until: float) -> None:
        """Delivers one run after the other to whichever server answers."""
        chance, made = random.Random(number), 0
        time.sleep(chance.uniform(0, self.options.pause))
        while time.monotonic() < until:
            project = PROJECTS[number % len(PROJECTS)]
            run = Run(RECORDED, number * 100_000 + made, {"build.log": f"{number} {made}\n"}, project=project)
            made += 1
            again = [(number + 1) % MACHINES] if chance.randrange(100) < TWICE else []
            try:
                for sender in [number, *again]:
                    until_answered(port, run, senders[sender])
                    with self.lock:
                        self.taken.setdefault(run.id, set()).add(f"machine-{sender}")
            except SystemExit as error:
                with self.lock:
                    self.faults.append(str(error))
            time.sleep(chance.uniform(0.5, 1.5) * self.options.pause)

    def reader(self, number: int, port: int, token: str, over: threading.Event) -> None:
        """Looks at pages, and connects again where the connection is cut."""
        chance, link = random.Random(1000 + number), Link(port, token)
        while not over.is_set():
            project = urllib.parse.quote(chance.choice(PROJECTS), safe="")
            address = chance.choice(("/", "/runs", f"/project?project={project}", f"/runs?project={project}", "/runs.json",
                                     "/search?q=Greeting", "run", "run"))
            kind = address.partition("?")[0]
            try:
                if address == "run":
                    status, body = link.ask("GET", f"/runs.json?project={project}")
                    runs = (json.loads(body).get("data") or []) if status == 200 else []
                    if runs:
                        address = f"/runs/{chance.choice(runs)['id']}"
                    else:
                        address = "/runs"
                status, _ = link.ask("GET", address)
                with self.lock:
                    self.looks[f"{kind}: {status}"] += 1
            except (OSError, http.client.HTTPException, ValueError):
                with self.lock:
                    self.cuts += 1
            time.sleep(chance.uniform(0.5, 1.5) * LOOKS)

    # --- at the end -------------------------------------------------------------------------------------------------

    def judge(self, members: list, reader: str) -> None:
        expected = sorted(self.taken)
        begun = time.monotonic()

        def agree() -> bool:
            rows = [member.rows() for member in members]
            return [row[0] for row in rows[0]] == expected and all(one == rows[0] for one in rows[1:])

        wrong = []
        if not wait_until(agree, self.options.settle * 60):
            for member in members:
                ids = {row[0] for row in member.rows()}
                wrong.append(f"{member.name} has {len(ids)} runs; {len(self.taken.keys() - ids)} are lost, "
                             f"{len(ids - self.taken.keys())} nobody was told of; see {member.log}")
            first = {row[0]: row for row in members[0].rows()}
            for member in members[1:]:
                unlike = [(first[row[0]], row) for row in member.rows() if row[0] in first and first[row[0]] != row]
                wrong += [f"{members[0].name}: {one}\n{member.name}: {other}" for one, other in unlike[:3]]
        self.tally.tell(f"three indexes agree on {len(expected)} runs after {time.monotonic() - begun:.0f} s", wrong)
        wrong = []
        for row in members[0].rows():
            record = json.loads(row[COLUMN_OF_DELIVERY] or "{}")
            names = {record.get("token"), *(record.get("others") or [])}
            # Who was not answered may have been heard all the same.
            if missing := self.taken.get(row[0], set()) - names:
                wrong.append(f"{row[0]}: nobody knows that {', '.join(sorted(missing))} delivered it")
        self.tally.tell("each run names everybody who delivered it", wrong[:10])
        self.pages(members, reader, expected)
        for member in members:
            ids = collections.Counter(member.directories())
            checked = member.kanmon("db", "check")
            wrong = [f"{run} has {ids[run]} directories" for run in expected if ids[run] != 1][:10]
            self.tally.tell(f"{member.name}: each run is there once, and the store has no fault",
                            wrong + ([] if checked.returncode == 0 else [checked.stdout[-1000:]]))
        checked = members[0].kanmon("objects", "check", self.url)
        self.tally.tell(f"objects: {checked.stdout.strip()[-200:]}", [] if checked.returncode == 0 else [checked.stdout[-2000:]])

    def pages(self, members: list, reader: str, runs: list) -> None:
        """Compares what the servers answer."""
        links = [Link(member.port, reader) for member in members]
        addresses = ["/index.json", *(f"/runs.json?project={urllib.parse.quote(project, safe='')}" for project in PROJECTS)]
        addresses += [address for run in runs for address in (f"/runs/{run}.json", f"/runs/{run}/tests.json")]
        wrong = []
        for address in addresses:
            answers = []
            for link in links:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    answers.append(link.ask("GET", address))
            if len(answers) != len(links) or answers[0][0] != 200 or any(answer != answers[0] for answer in answers[1:]):
                wrong.append(f"{address}: " + ", ".join(f"{status}, {len(body)} bytes" for status, body in answers))
        self.tally.tell(f"{len(addresses)} addresses are answered alike by all three", wrong[:10])


# The place of `delivery` in a row.
COLUMN_OF_DELIVERY = 15
