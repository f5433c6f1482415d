"""What the store holds, read from its tables as docs/storage.md describes them; no view and no query of Kanmon's is used."""

import copy
import functools
import json
import pathlib
import sqlite3

from entries import File, METRICS, Module, Numbers, Result, Test, duration_of, unpacked
from progress import Live
from words import FAILURES, OUTCOMES

COLUMNS = ("passed", "failed", "crashed", "timed_out", "skipped", "known_issue", "not_run")


class Verdict:
    """What a run says of a commit."""

    def __init__(self, run, row: sqlite3.Row):
        self.row = row
        self.decision, self.status = row["decision"], row["exit_status"]
        self.body = json.loads(unpacked(row["body"]))
        self.lines = None if row["lines_total"] is None else (row["lines_covered"], row["lines_total"])
        self.order = row["place"], row["judged_at"], row["id"]
        self.run = run if row["is_own"] else run.told_by(self)

    @functools.cached_property
    def policy(self) -> dict:
        return json.loads(self.run.store.content(self.row["policy"]))

    @functools.cached_property
    def modules(self) -> list:
        statuses = json.loads(self.run.store.content(self.row["statuses"]))
        numbers, tallies = Numbers(unpacked(self.row["tallies"])), [{} for _ in statuses]
        for metric in METRICS:
            totals = [numbers.zigzag() for _ in statuses]
            for tally, total in zip(tallies, totals):
                tally[metric] = (total - numbers.zigzag(), total)
        return [Module(status, tally) for status, tally in zip(statuses, tallies)]

    def module(self, name: str) -> Module | None:
        return next((module for module in self.modules if module.name == name), None)


class Run:
    def __init__(self, store, row: sqlite3.Row):
        self.store, self.columns, self.row, self.id = store, row, row["id"], row["identity"]
        self.project = store.projects[row["project"]]
        for name in ("package", "commit_id", "tree_id", "subject", "author", "attempt", "began_at", "started_at", "duration", "decision"):
            setattr(self, name, row[name])
        self.branch = row["branch"].decode() if row["branch"] is not None else None
        self.is_exact, self.is_partial, self.status = bool(row["is_exact"]), bool(row["is_partial"]), row["exit_status"]
        self.outcomes = dict(zip(OUTCOMES, (row[column] for column in COLUMNS)))
        self.total, self.failures = sum(self.outcomes.values()), sum(self.outcomes[kind] for kind in FAILURES)
        self.lines = None if row["lines_total"] is None else (row["lines_covered"], row["lines_total"])
        self.is_told_by_another = False

    def told_by(self, verdict: Verdict) -> "Run":
        """The run as pages tell it where another commit with its tree was judged by it."""
        told, row = copy.copy(self), verdict.row
        told.commit_id, told.subject, told.author, told.attempt = row["commit_id"], row["subject"], row["author"], row["attempt"] or None
        told.branch = row["branch"].decode() if row["branch"] is not None else None
        told.decision, told.status, told.lines, told.verdict = verdict.decision, verdict.status, verdict.lines, verdict
        told.is_told_by_another = True
        return told

    @property
    def short(self) -> str:
        return self.id[-12:]

    @property
    def address(self) -> str:
        """The page that tells what is told of it."""
        return f"/runs/{self.id}" + (f"?commit={self.commit_id}" if self.is_told_by_another else "")

    @property
    def words(self) -> str:
        """The run in a sentence: `run 0123456789ab of main at 9f3c2ab1`."""
        return (f"run {self.short}" + (f" of {self.branch}" if self.branch else "")
                + (f" at {self.commit_id[:8]}" if self.commit_id else ""))

    @functools.cached_property
    def verdict(self) -> Verdict:
        return next(verdict for verdict in self.store.verdicts if verdict.run is self and verdict.row["is_own"])

    @functools.cached_property
    def results(self) -> list:
        row = self.store.one("SELECT * FROM run_results WHERE run = ?", self.row)
        rows, last, numbers = [], 0, Numbers(unpacked(self.store.content(row["test_list"])))
        while numbers:
            last += numbers.zigzag()
            rows.append(last)
        editions = Numbers(unpacked(self.store.content(row["editions"])))
        durations = Numbers(unpacked(row["durations"]))
        listed = {}
        for attempt in self.store.all("SELECT test, outcome FROM attempt WHERE run = ? ORDER BY test, number", self.row):
            listed.setdefault(attempt["test"], []).append(OUTCOMES[attempt["outcome"]])
        results = []
        for test, ending in zip(rows, unpacked(row["endings"]), strict=True):
            outcome = OUTCOMES[ending & 7]
            attempts = {0: [], 1: [outcome]}.get(ending >> 5, listed.get(test, []))
            edition, value = editions.take(), durations.take()
            length = (-1 if (value - 1) & 1 else 1) * duration_of((value >> 1) if value & 1 else (value - 1 >> 1) + 1) if value else None
            results.append(Result(self, self.store.tests[test], edition, outcome, attempts, length))
        return results

    @functools.cached_property
    def unproven(self) -> set:
        """The rows of the tests that passed and failed when they were repeated."""
        return {row["test"] for row in self.store.all("SELECT test FROM probation_failure WHERE run = ?", self.row)}

    def result(self, test: Test) -> Result | None:
        return next((result for result in self.results if result.test is test), None)

    @functools.cached_property
    def files(self) -> list:
        """The files with coverage; none where there is no coverage."""
        if self.columns["coverage"] is None:
            return []
        numbers, files, file, content = Numbers(unpacked(self.store.content(self.columns["coverage"]))), [], 0, 0
        while numbers:
            file, content = file + numbers.zigzag(), content + numbers.zigzag()
            row = self.store.one("SELECT * FROM source_file WHERE id = ?", file)
            files.append(File(row["path"].decode(), row["module"].decode(), self.store.content(content)))
        return files

    @functools.cached_property
    def folder(self) -> pathlib.Path:
        return pathlib.Path(self.columns["run_directory"] or "/nowhere")

    @functools.cached_property
    def manifest(self) -> dict:
        """What the run directory says of itself."""
        found = list(self.store.home.glob(f"runs/*/{self.id}/manifest.json"))
        return json.loads(found[0].read_text()) | {"folder": found[0].parent} if found else {}


class Store:
    def __init__(self, home: pathlib.Path):
        self.home = home
        self.connection = sqlite3.connect(f"file:{home / 'kanmon.sqlite'}?mode=ro", uri=True, check_same_thread=False)
        self.connection.row_factory = sqlite3.Row
        self.projects = {row["id"]: row["name"].decode() for row in self.all("SELECT * FROM project ORDER BY name")}
        self.tests = {row["id"]: Test(row["id"], *(row[name].decode() for name in ("module", "suite", "name", "discriminator")))
                      for row in self.all("SELECT * FROM test")}
        self.runs = [Run(self, row) for row in self.all("SELECT * FROM run ORDER BY started_at DESC, identity DESC")]
        self.by_id = {run.id: run for run in self.runs}
        # The file of a run in progress is gone when its server ends.
        self.live = [Live(file) for file in sorted(home.glob("running/*.json"), reverse=True)]
        by_row = {run.row: run for run in self.runs}
        self.verdicts = [Verdict(by_row[row["run"]], row) for row in self.all("SELECT * FROM verdict")]

    def all(self, query: str, *values) -> list:
        return self.connection.execute(query, values).fetchall()

    def one(self, query: str, *values) -> sqlite3.Row:
        return self.connection.execute(query, values).fetchone()

    @functools.cache
    def content(self, row: int) -> bytes:
        return self.one("SELECT body FROM content WHERE id = ?", row)["body"]

    @functools.cache
    def text(self, row: int | None) -> str | None:
        return None if row is None else self.content(row).decode()

    @functools.cache
    def description(self, test: int, edition: int) -> dict:
        row = self.one("SELECT * FROM description WHERE test = ? AND edition = ?", test, edition)
        return dict(row) if row else {}

    @functools.cache
    def issues_of(self, run: int, test: int) -> list:
        rows = self.all("SELECT * FROM issue WHERE run = ? AND test = ? ORDER BY attempt, position", run, test)
        return [dict(row) | {"message": self.text(row["message"]), "path": self.text(row["path"]), "argument": self.text(row["argument"])}
                for row in rows]

    def of_project(self, project: str) -> list:
        """Its runs, the newest first."""
        return [run for run in self.runs if run.project == project]

    def told(self, identity: str, commit: str | None) -> Run:
        """A run as it is told of a commit: by its own verdict where it tested that, else by the newest on it."""
        own = self.by_id[identity]
        known = [verdict for verdict in self.verdicts if verdict.run.id == identity and verdict.run.commit_id == commit]
        if commit in (None, own.commit_id) or not known:
            return own
        return max(known, key=lambda verdict: (verdict.row["judged_at"], verdict.row["id"])).run

    def full_runs(self, project: str) -> list:
        """The runs behind its states, each once, the newest first."""
        found = {verdict.run.id: self.by_id[verdict.run.id] for verdict in self.states(project)}
        return sorted(found.values(), key=lambda run: (run.started_at, run.id), reverse=True)

    def default_branch(self, project: str) -> str | None:
        """The branch of the newest comparison; else the first of the usual ones with a full run."""
        row = self.one("SELECT default_branch FROM project WHERE name = ?", project.encode())
        if row["default_branch"] is not None:
            return row["default_branch"].decode()
        return next((name for name in ("main", "master", "trunk") if self.states(project, name)), None)

    @functools.cache
    def states(self, project: str, branch: str | None = None) -> list:
        """What counts for a branch: full runs of exact trees that were no attempts, the tip of the branch first."""
        counting = [verdict for verdict in self.verdicts
                    if verdict.run.project == project and verdict.run.is_exact and not verdict.run.is_partial and not verdict.row["attempt"]
                    and (branch is None or (verdict.row["branch"] or b"").decode() == branch)]
        return sorted(counting, key=lambda verdict: verdict.order, reverse=True)

    def state(self, project: str) -> tuple:
        """The default branch and the verdict that tells how it stands; of any branch where it has none."""
        branch = self.default_branch(project)
        states = self.states(project, branch) if branch else []
        return (branch, states[0]) if states else (None, next(iter(self.states(project)), None))
