"""A server among several over the same objects: it is killed, and comes back with its disk or without."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

# What is compared of a run: everything that does not say where it lies or which number a row has.
COLUMNS = ("identity", "CAST(project.name AS TEXT)", "package", "commit_id", "tree_id", "CAST(branch AS TEXT)", "attempt", "is_dirty",
           "is_exact", "is_of_branch", "started_at", "began_at", "duration", "engine", "is_partial", "delivery", "decision",
           "exit_status", "passed", "failed", "crashed", "timed_out", "skipped", "known_issue", "not_run", "recovered", "lines_covered",
           "lines_total")
ROWS = f"SELECT {', '.join(COLUMNS)} FROM run JOIN project ON project.id = run.project ORDER BY identity"


class Member:
    def __init__(self, name: str, folder: pathlib.Path, binary: str, port: int, url: str, environment: dict, tokens: pathlib.Path):
        self.name, self.folder, self.binary, self.port, self.url = name, folder / name, binary, port, url
        self.shared, self.tokens = environment, tokens
        self.disks = 0
        self.process = None
        self.folder.mkdir(parents=True)
        self.log = self.folder / "log"
        self.new_disk()

    @property
    def home(self) -> pathlib.Path:
        return self.folder / f"disk-{self.disks}"

    @property
    def environment(self) -> dict:
        return self.shared | {"KANMON_HOME": str(self.home)}

    def new_disk(self) -> None:
        """Goes on with an empty disk, on which there is nothing but the list of tokens."""
        self.disks += 1
        self.home.mkdir(mode=0o700)
        shutil.copy2(self.tokens, self.home / "tokens.json")

    def start(self) -> None:
        with open(self.log, "ab") as log:
            # A session of its own: what judges runs for it ends with it, as with a machine.
            self.process = subprocess.Popen(
                [self.binary, "serve", "--least-free", "0", "--objects", self.url, "--port", str(self.port)], env=self.environment,
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self) -> None:
        """Ends it as its machine would."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()

    def answers(self, seconds: float = 120) -> bool:
        """Waits until it answers; `False` if it does not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.1)
        return False

    def rows(self) -> list:
        """What its index says of every run."""
        with contextlib.suppress(sqlite3.Error), contextlib.closing(
                sqlite3.connect(f"file:{self.home / 'kanmon.sqlite'}?mode=ro", uri=True, timeout=10)) as store:
            return store.execute(ROWS).fetchall()
        return []

    def kanmon(self, *words, environment: dict | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([self.binary, *words], env=environment or self.environment, cwd=self.folder, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def directories(self) -> list:
        """The ids of its run directories."""
        return [path.name for path in self.home.glob("runs/*/*-*-*-*-*") if path.is_dir() and "." not in path.name]


def wait_until(condition, seconds: float) -> bool:
    """Waits until something is so; `False` if it is not in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.5)
    return bool(condition())
