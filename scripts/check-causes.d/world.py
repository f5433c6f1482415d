"""One package with its repository, in which some failures at a time are planted and judged."""

import contextlib
import pathlib
import random
import shutil
import subprocess
import time
from typing import NamedTuple

import chance
import printed
import surroundings
from plants import Field, Plant
from texts import NEAR_EDIT, Kind

NEVER = "4102444800"
EXPIRY = "@EXPIRY@"


class Unusable(Exception):
    """What was planted does not stand there, so that nothing can be said of it."""


class Judged(NamedTuple):
    """What a run said."""

    status: int
    report: dict
    words: str
    seconds: float

    def failures(self) -> dict:
        """The entries of the failed tests."""
        return {identity(entry): entry for entry in self.report.get("failures", [])}


def identity(entry: dict) -> tuple:
    return entry["module"], entry.get("suite", ""), entry["name"]


class World:
    def __init__(self, kind: Kind, folder: pathlib.Path, binary: str, budget: str, seed: int):
        self.kind, self.binary, self.budget, self.seed = kind, binary, budget, seed
        self.work, self.home = folder / kind.name / "kit", folder / kind.name / "home"
        self.outside = folder / kind.name / "outside"
        self.environment = surroundings.environment(folder, KANMON_HOME=self.home)
        self.field = Field(kind, self.outside, self.dice(""))
        self.variables: dict = {}
        self.expiry = 0.0
        # How long the newest run of the base took.
        self.seconds_of_base = 20.0

    def dice(self, name: str) -> random.Random:
        """The same for a name, whatever else is planted."""
        return random.Random(f"{self.seed} {self.kind.name} {name}")

    # MARK: the package

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-C", self.work, *words], check=True, env=self.environment, stdout=subprocess.DEVNULL)

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def lay_out(self) -> None:
        """Writes the package as it is before anything is planted, and builds it, so that what follows is short."""
        self.work.mkdir(parents=True)
        self.outside.mkdir(parents=True)
        surroundings.write(self.work, {name: text.replace(EXPIRY, NEVER) for name, text in self.field.files().items()})
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("the package")
        self.git("tag", "whole")
        self.prepare(self.field.plants)
        first = self.run("0s")
        if first.status != 0:
            raise Unusable(f"{self.kind.name} as it is written ends with {first.status}: {first.words}")

    def prepare(self, plants: list[Plant]) -> None:
        """Has everything outside as it should be."""
        self.variables = {}
        for plant in self.field.plants:
            self.variables |= plant.variables
            if plant.dice:
                chance.put(self.outside, plant.dice, "")
            if plant.keeps:
                (pathlib.Path(self.environment["HOME"]) / plant.keeps).unlink(missing_ok=True)
        for plant in plants:
            for name, text in plant.outside.items():
                (self.outside / name).unlink(missing_ok=True)
                (self.outside / name).write_text(text)

    def edit(self, edits: dict) -> None:
        for name, edit in edits.items():
            if isinstance(edit, tuple):
                text = (self.work / name).read_text()
                if edit[0] not in text:
                    raise Unusable(f"{name} has no {edit[0]!r}")
                edit = text.replace(*edit)
            surroundings.write(self.work, {name: edit})

    # MARK: runs

    def run(self, budget: str, *words: str) -> Judged:
        exact = ["--commit", "HEAD", *words] if self.kind.judges_commits else []
        begin = time.monotonic()
        done = subprocess.run(
            [self.binary, "run", "--package-path", self.work, "--json", "--causes-budget", budget, *exact],
            env=self.environment | self.variables, cwd=self.work.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", check=False)
        seconds = time.monotonic() - begin
        return Judged(done.returncode, printed.json_in(done.stdout), (done.stdout + done.stderr)[-3000:], seconds)

    def base(self, plants: list[Plant]) -> None:
        """Commits the base, and runs it as often as stored runs of it are needed."""
        for plant in plants:
            self.edit({name: text.replace(EXPIRY, f"{self.expiry:.0f}") for name, text in plant.files.items() if EXPIRY in text})
            self.edit(plant.base)
        self.commit("the base")
        for number in range(max(len(plant.stored) for plant in plants)):
            for plant in plants:
                if plant.dice:
                    chance.put(self.outside, plant.dice, plant.stored[number])
            # What a test of Swift Testing executes is known for sure where it was asked for.
            judged = self.run("0s", "--fresh", *(["--map"] if any(plant.maps_base for plant in plants) else []))
            self.seconds_of_base = judged.seconds
            if not judged.report:
                raise Unusable(f"the run of the base ends with {judged.status}: {judged.words}")
            for plant in plants:
                if plant.spoil and plant.test in judged.failures():
                    raise Unusable(f"{plant.name} fails on the base before it is spoiled")

    def judge(self, plants: list[Plant]) -> Judged:
        """Plants failures, and runs the change that has them."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.git("checkout", "--quiet", "--force", "-B", "main", "whole")
        self.git("clean", "-ffdxq")
        self.prepare(plants)
        if all(plant.has_base for plant in plants):
            # What expires has to be valid until the base was run.
            self.expiry = time.time() + 2 * self.seconds_of_base + 20
            self.base(plants)
            self.git("checkout", "--quiet", "-B", "change")
        else:
            self.git("checkout", "--quiet", "--orphan", "lonely")
            self.git("update-ref", "-d", "refs/heads/main")
            self.git("symbolic-ref", "HEAD", "refs/heads/main")
        if all(plant.touches_near for plant in plants):
            self.edit({"Sources/Base/Near.swift": NEAR_EDIT})
        for plant in plants:
            self.edit(plant.change)
        self.commit("the change")
        for plant in plants:
            surroundings.write(self.work, plant.ignored)
            if plant.dice:
                chance.put(self.outside, plant.dice, chance.thrown(plant.rate, self.dice(plant.name), first="1"))
        with contextlib.ExitStack() as spoiled:
            for plant in plants:
                if plant.spoil:
                    spoiled.enter_context(plant.spoil(self, plant))
            judged = self.run(self.budget, "--fresh")
        if judged.status != 1 or set(judged.failures()) != {plant.test for plant in plants}:
            raise Unusable(f"status {judged.status}, and these fail: {sorted(judged.failures())}\n{judged.words}")
        return judged
