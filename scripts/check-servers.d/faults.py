"""Two servers over an object store that is away, slow, busy, cuts what it says short, lists late, and loses an object."""

import collections
import contextlib
import http.client
import itertools
import pathlib
import threading
import time

import tools
from between import FAULTS, LATE, Between
from delivering import Link, Run, digest, new_token, until_answered
from members import Member, wait_until

RECORDED = tools.ROOT / "Tests" / "KanmonTests" / "Runs" / "Mixed"
MACHINES = 3
# What a sender may hear: that its run is kept, or that it is to come again.
CLEAR = {200, 201, 503}
# With these nothing can be kept, so nobody may hear that it is.
CLOSED = {"away", "busy"}
# Within how many seconds everything is taken and shown everywhere once the store answers: what it did not give is asked for every two
# minutes, and the log after half a minute.
AFTERWARDS = 240


class Faults:
    def __init__(self, tally, folder: pathlib.Path, binary: str, middle: Between, store, bucket: str, ports: list, options):
        self.tally, self.folder, self.binary, self.middle, self.options = tally, folder, binary, middle, options
        self.store, self.bucket, self.ports = store, bucket, ports
        self.url = f"s3://{bucket}/team"
        self.numbers, self.lock = itertools.count(), threading.Lock()
        self.taken = {}

    def play(self, environment: dict) -> None:
        self.direct = environment | self.store.environment
        shared = environment | self.store._replace(endpoint=self.middle.endpoint).environment
        first = self.folder / "first"
        made = {"env": environment | {"KANMON_HOME": str(first)}, "cwd": self.folder}
        self.senders = [new_token(self.binary, f"machine-{number}", "attest", **made) for number in range(MACHINES * (len(FAULTS) + 1))]
        self.token = new_token(self.binary, "reader", "read", **made)
        self.members = [Member(f"fault-{number}", self.folder, self.binary, port, self.url, shared, first / "tokens.json")
                        for number, port in enumerate(self.ports[:2])]
        try:
            for member in self.members:
                member.start()
            if any(not member.answers() for member in self.members):
                return self.tally.tell("two servers start", [f"see {member.log}" for member in self.members])
            run = self.new_run()
            until_answered(self.members[0].port, run, self.senders[-1])
            self.taken[run.id] = run
            for place, name in enumerate(FAULTS):
                self.fault(name, self.senders[place * MACHINES:(place + 1) * MACHINES])
            self.lost_object()
        finally:
            for member in self.members:
                member.end()

    def new_run(self) -> Run:
        number = next(self.numbers)
        return Run(RECORDED, number, {"build.log": f"fault {number}\n"}, project="team/kit")

    # --- a fault ----------------------------------------------------------------------------------------------------

    def fault(self, name: str, senders: list) -> None:
        """Delivers and reads while the store has a fault, and waits until everything is there afterwards."""
        shown = next(iter(self.taken))
        heard, pages, waiting, over = collections.Counter(), collections.Counter(), {}, threading.Event()

        def machine(number: int) -> None:
            while not over.is_set():
                run = waiting.get(number) or self.new_run()
                waiting[number] = run
                status = 0
                # Both servers take deliveries.
                link = Link(self.members[number % 2].port, senders[number])
                with contextlib.closing(link.connection), contextlib.suppress(OSError, http.client.HTTPException):
                    status = link.deliver(run)
                with self.lock:
                    heard[status] += 1
                    if status in (200, 201):
                        self.taken[run.id] = run
                        waiting.pop(number)
                over.wait(1)

        self.middle.fault = name
        threads = [threading.Thread(target=machine, args=(number,), daemon=True) for number in range(MACHINES)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + self.options.away
        while time.monotonic() < end:
            for address in ("/runs.json", f"/runs/{shown}", "/healthz"):
                link = Link(self.members[0].port, self.token)
                with contextlib.closing(link.connection):
                    try:
                        pages[f"{address.replace(shown, 'ID')}: {link.ask('GET', address)[0]}"] += 1
                    except (OSError, http.client.HTTPException):
                        pages[f"{address}: cut"] += 1
            time.sleep(1)
        kept = heard[200] + heard[201]
        self.middle.fault = None
        over.set()
        begun = time.monotonic()
        for thread in threads:
            thread.join(timeout=AFTERWARDS)
        for number, run in list(waiting.items()):
            until_answered(self.members[number % 2].port, run, senders[number])
            self.taken[run.id] = run
        wrong = [f"a sender heard {status or 'nothing'}, {count} times" for status, count in heard.items() if status not in CLEAR]
        wrong += [f"{kept} runs were taken that cannot be kept"] if name in CLOSED and kept else []
        wrong += ["nobody was told to come again"] if name in CLOSED and not heard[503] else []
        wrong += [f"{what}, {count} times" for what, count in pages.items() if not what.endswith(": 200")]
        everywhere = wait_until(lambda: all(self.taken.keys() <= {row[0] for row in member.rows()} for member in self.members),
                                AFTERWARDS + (LATE if name == "late" else 0))
        if not everywhere:
            wrong += [f"{member.name} lacks {len(self.taken.keys() - {row[0] for row in member.rows()})} runs: see {member.log}"
                      for member in self.members]
        told = ", ".join(f"{count} times {status or 'nothing'}" for status, count in sorted(heard.items()))
        self.tally.tell(f"{name} ({FAULTS[name]}): senders heard {told}; everywhere {time.monotonic() - begun:.0f} s afterwards", wrong)
        self.tally.tell(f"{name}: what was taken is kept", self.not_kept())

    def not_kept(self) -> list:
        """What is wrong among the objects, asked of the store itself."""
        checked = self.members[0].kanmon("objects", "check", "--read", self.url,
                                         environment=self.direct | {"KANMON_HOME": str(self.members[0].home)})
        if checked.returncode:
            return [checked.stdout[-2000:]]
        # With the words "N runs".
        found = int(checked.stdout.rsplit(": ", 1)[1].split(" run")[0].replace(",", ""))
        return [] if found >= len(self.taken) else [f"{found} runs are among the objects, and {len(self.taken)} were taken"]

    # --- an object that is gone -------------------------------------------------------------------------------------

    def lost_object(self) -> None:
        """One file of one run is gone: that is told, costs no other run, and is mended by who has it."""
        run = next(reversed(self.taken.values()))
        sha256 = digest(run.files["build.log"])
        client = self.store.client()
        client.delete_object(Bucket=self.bucket, Key=f"team/v1/blobs/{sha256[:2]}/{sha256}")
        home = {"KANMON_HOME": str(self.members[0].home)}
        checked = self.members[0].kanmon("objects", "check", self.url, environment=self.direct | home)
        self.tally.tell("a lost object is told", [] if checked.returncode == 74 and sha256 in checked.stdout else [
            f"status {checked.returncode}", checked.stdout[-1000:]])
        status, _ = Link(self.members[0].port, self.token).ask("GET", f"/runs/{run.id}")
        self.tally.tell("its run is shown where it is", [] if status == 200 else [f"status {status}"])
        self.rebuilt("a new machine tells of the run that is not whole, and has all others", 65, {run.id})
        mended = self.members[0].kanmon("objects", "check", "--repair", self.url, environment=self.direct | home)
        self.tally.tell("a server that has it puts it back", [] if mended.returncode == 0 else [mended.stdout[-1000:]])
        self.rebuilt("a new machine has all runs", 0, set())

    def rebuilt(self, what: str, status: int, without: set) -> None:
        fresh = Member(f"fresh-{status}", self.folder, self.binary, 0, self.url, self.direct, self.folder / "first" / "tokens.json")
        # With a snapshot, which a server leaves after ten minutes, files would stay where they are, and nobody would miss one.
        done = fresh.kanmon("db", "rebuild", "--from-objects", self.url, "--no-snapshot")
        found = {row[0] for row in fresh.rows()}
        wrong = [] if done.returncode == status else [f"status {done.returncode}", done.stdout[-1000:]]
        wrong += [f"{run} is missing" for run in sorted(self.taken.keys() - without - found)]
        wrong += [f"{run} is there and not whole" for run in sorted(without & found)]
        wrong += [f"nothing is said of {run}" for run in sorted(without) if run not in done.stdout]
        self.tally.tell(what, wrong[:10])
