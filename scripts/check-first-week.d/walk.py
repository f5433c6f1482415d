"""Commands that a user types, one after the other, each compared with what the user should be told, and timed."""

import json
import pathlib
import re
import subprocess
import time

import surroundings
from tally import Tally


class Walk(Tally):
    """A clone in `work` of the repository in `server`, and the user who works in it."""

    patience = 600
    """The most seconds that a command may take."""

    shows = False
    """Whether all that a command prints is shown, and not only that of one that does what it should not."""

    def __init__(self, folder: pathlib.Path, binary: str, **variables):
        super().__init__()
        self.folder, self.binary = folder, binary
        self.work, self.server, self.home = folder / "kit", folder / "server.git", folder / "home"
        self.environment = surroundings.environment(folder, KANMON_HOME=self.home, GIT_CONFIG_GLOBAL="/dev/null", **variables)
        self.seconds = 0.0

    def step(self, what: str, words: tuple, status, says=(), never=(), cwd=None) -> str:
        """Runs a command that a user types, and prints how long it took, and what is wrong with its result.

        The status is one, or one of several.
        """
        words = [str(word) for word in words]
        begin = time.monotonic()
        done = subprocess.run(
            words, cwd=cwd or self.work, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=self.patience, check=False)
        took = time.monotonic() - begin
        self.seconds += took
        expected = status if isinstance(status, tuple) else (status,)
        wrong = [] if done.returncode in expected else [f"status {done.returncode} instead of {' or '.join(map(str, expected))}"]
        wrong += [f"it does not say: {text}" for text in says if not re.search(text, done.stdout)]
        wrong += [f"it says: {text}" for text in never if re.search(text, done.stdout)]
        self.tell(f"{what} ({took:.1f} s)", wrong + ([done.stdout[-3000:]] if wrong and not self.shows else []))
        if self.shows:
            typed = " ".join(["kanmon" if words[0] == self.binary else words[0], *words[1:]])
            print("\n".join(f"        {line}" for line in [f"$ {typed}", *done.stdout.splitlines()]), flush=True)
        return done.stdout

    def kanmon(self, what: str, *words, status=0, says=(), never=(), cwd=None) -> str:
        return self.step(what, (self.binary, *words), status, says, never, cwd)

    def push(self, what: str, *words, status=0, says=(), never=()) -> str:
        return self.step(what, ("git", "push", *words, "origin", "HEAD:main"), status, says, never)

    def git(self, *words, cwd=None) -> str:
        return subprocess.run(["git", *map(str, words)], cwd=cwd or self.work, env=self.environment, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    def write(self, files: dict) -> None:
        surroundings.write(self.work, files)

    def commit(self, message: str, *words) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", *words, "--message", message)
        return self.git("rev-parse", "HEAD")

    def report(self, name: str) -> dict:
        done = subprocess.run([self.binary, "report", name, "--format", "json"], cwd=self.work, env=self.environment,
                              stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def end(self) -> int:
        print(f"{self.seconds:.0f} s in commands")
        return super().end()
