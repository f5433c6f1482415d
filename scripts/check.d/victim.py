"""The sample package that every case changes, and the results of Kanmon and plain `swift test` for it.

All cases use the same folder, one after the other, so that only differences are written and compiled. Kanmon gets its own home
and cache; `swift test` runs on the products of Kanmon's build, since it would build the same.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import time

import casefile
import descendants
import surroundings

RUNS = casefile.ROOT / "Tests" / "KanmonTests" / "Runs"
SAMPLE = casefile.SUITE / "Package"
DECISIONS = {0: "passed", 1: "failed", 2: "failed", 3: "failed", 4: "undecided", 5: "undecided"}


@dataclasses.dataclass
class ProcessResult:
    """How a program ended; the status is `None` when it had to be killed."""
    status: int | None
    seconds: float
    output: str
    survivors: dict
    report: dict | None = None

    @property
    def words(self) -> str:
        if self.status is None:
            return "hangs"
        return str(self.status) if self.status >= 0 else f"signal {-self.status}"

    @property
    def found(self) -> dict:
        """Status, gap codes and outcomes, as a case expects them."""
        found: dict = {"status": self.status}
        if self.report is None:
            return found | {"gaps": []}
        names = {"knownIssue": "known-issue", "notRun": "not-run", "timedOut": "timed-out"}
        outcomes = {names.get(name, name): count for name, count in self.report["outcomes"].items()}
        found["gaps"] = sorted({gap["code"] for gap in self.report["gaps"]})
        found["outcomes"] = {name: count for name, count in outcomes.items() if count and name != "total"}
        return found

    @property
    def notes(self) -> set:
        return {note["code"] for note in self.report["notes"]} if self.report else set()


class Bench:
    """A folder in which cases are tried out."""

    def __init__(self, program: str, work: pathlib.Path):
        self.program = program
        self.work = work
        self.package = work / "package"
        self.home = work / "home"
        self.cache = work / "cache"

    # --- writing the package ---------------------------------------------------------------------------------------------------

    def lay_out(self, case: casefile.Case) -> None:
        """Writes the sample with the changes of the case into the package; leaves equal files untouched."""
        files = {str(path.relative_to(SAMPLE)): path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file()}
        for name, text in case.files.items():
            if text is None:
                files.pop(name)
            else:
                files[name] = text.encode()
        if settings := case.one("settings"):
            files[".kanmon.yml"] = (settings + "\n").encode()
        self.package.mkdir(exist_ok=True)
        for path in sorted(self.package.rglob("*"), reverse=True):
            if path.is_symlink() or path.is_file():
                if str(path.relative_to(self.package)) not in files:
                    path.unlink()
            elif not any(path.iterdir()):
                path.rmdir()
        for name, data in files.items():
            path = self.package / name
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    # --- running ------------------------------------------------------------------------------------------------------

    def environment(self, extra: list) -> dict:
        values = surroundings.environment(self.work, TMPDIR=self.work)
        for entry in extra:
            name, value = entry.split("=", 1)
            values[name] = value.replace("{work}", str(self.work))
        return values

    def start(self, command: list, extra: list = []) -> subprocess.Popen:
        """Starts a program in the package's folder, its output in a file."""
        self.log = self.work / "output.txt"
        with open(self.log, "wb") as file:
            return subprocess.Popen(
                command, cwd=self.package if self.package.exists() else self.work, env=self.environment(extra),
                stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)

    def finish(self, process: subprocess.Popen, limit: float, begin: float) -> ProcessResult:
        """Waits for the end of the process, then for its descendants, and ends those that are left."""
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            status = None
        seconds = time.monotonic() - begin
        left = descendants.survivors() if status is not None else {}
        descendants.bury()
        process.poll()
        with open(self.log, "rb") as file:
            output = file.read(1 << 20).decode(errors="replace")
        return ProcessResult(status, seconds, output, left)

    def run(self, command: list, extra: list = [], limit: float = 600) -> ProcessResult:
        begin = time.monotonic()
        return self.finish(self.start(command, extra), limit, begin)

    @property
    def scratch(self) -> pathlib.Path | None:
        """Kanmon's folder for the products of the package; there is only one in a cache of its own."""
        found = list((self.cache / "kanmon" / "build").glob("*"))
        return next((path for path in found if path.is_dir()), None)

    def kanmon(self, case: casefile.Case, limit: float = 600) -> ProcessResult:
        """`kanmon run`, or `kanmon ingest` of a recorded run."""
        out = self.work / "out"
        shutil.rmtree(out, ignore_errors=True)
        shutil.rmtree(self.home, ignore_errors=True)
        arguments = shlex.split(case.one("arguments", ""))
        if (run := case.one("run")) is not None:
            copy = self.recorded(run, case)
            return self.told(["ingest", str(copy), "--home", str(self.home), "--json"], case, limit)
        if (reports := case.one("reports")) is not None:
            folder = self.work / "reports"
            shutil.rmtree(folder, ignore_errors=True)
            for name, text in case.files.items():
                write(folder / name, text.rstrip("\n").encode() + b"\n")
            for edit in case.all("edit"):
                apply(shlex.split(edit), folder, case)
            names = [str(folder / name) for name in reports.split()]
            return self.told(["ingest", *names, "--project", "sabotage", "--home", str(self.home), "--json"], case, limit)
        engine = ["--engine", case.one("engine")] if case.one("engine") else []
        result = self.run(
            [self.program, "run", "--package-path", str(self.package), "--home", str(self.home), "--out", str(out),
             *engine, *arguments], case.all("environment"), limit)
        report = out / "report.json"
        if report.exists():
            result.report = json.loads(report.read_bytes())
        return result

    def told(self, words: list, case: casefile.Case, limit: float) -> ProcessResult:
        result = self.run([self.program, *words], case.all("environment"), limit)
        place = result.output.find("{\n")
        if place >= 0 and result.status in DECISIONS:
            result.report, _ = json.JSONDecoder().raw_decode(result.output[place:])
        return result

    def warm_up(self) -> None:
        """Builds the sample, so that Kanmon's folder for its products is there."""
        self.lay_out(casefile.Case("warm-up", "", "", {}, {
            "Tests/AppTests/AppTests.swift": "import App\nimport Trouble\nimport XCTest\n"}))
        self.run([self.program, "run", "--package-path", str(self.package), "--home", str(self.home)])

    def build(self) -> None:
        """Builds the package as Kanmon does, into Kanmon's folder."""
        self.run([
            "swift", "build", "--build-tests", "--enable-code-coverage", "--package-path", str(self.package),
            "--scratch-path", str(self.scratch)], ["LLVM_PROFILE_FILE=/dev/null"])

    def swift_test(self, case: casefile.Case, limit: float) -> str:
        """The exit status of plain `swift test`; `hangs` if it had to be ended."""
        if (run := case.one("run")) is not None:
            steps = json.loads((RUNS / run / "manifest.json").read_text())["steps"]
            ends = [step["termination"]["exited"] for step in steps if step["kind"] == "test"]
            return str(max(ends, default=1))
        if case.one("reports") is not None:
            return case.one("swift test", "")
        scratch = self.scratch
        where = ["--scratch-path", str(scratch)] if scratch else []
        command = ["swift", "test", "--package-path", str(self.package), *where, "--enable-code-coverage"]
        extra = [entry for entry in case.all("environment") if not entry.startswith("KANMON_")]
        return self.run(command + shlex.split(case.one("swift test arguments", "")), extra, limit).words

    # --- recorded runs ------------------------------------------------------------------------------------------------

    def recorded(self, name: str, case: casefile.Case) -> pathlib.Path:
        """A copy of a recorded run directory, changed as the case says."""
        copy = self.work / "recorded"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(RUNS / name, copy)
        for edit in case.all("edit"):
            apply(shlex.split(edit), copy, case)
        return copy


def write(path: pathlib.Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def unescaped(text: str) -> bytes:
    """A text in which `\\x1b` and `\\n` stand for bytes."""
    return re.sub(rb"\\(x[0-9a-f]{2}|n)", lambda match: escaped_byte(match[1]), text.encode())


def escaped_byte(code: bytes) -> bytes:
    return b"\n" if code == b"n" else bytes([int(code[1:], 16)])


def apply(edit: list, folder: pathlib.Path, case: casefile.Case) -> None:
    """One change to a recorded run: `verb FILE …`."""
    verb, words = edit[0], edit[1:]
    if verb == "reseal":
        return reseal(folder)
    path = folder / words[0]
    match verb, words[1:]:
        case "truncate", [size]:
            data = path.read_bytes()
            # A negative size counts from the end.
            path.write_bytes(data[:int(size)])
        case "empty", []:
            path.write_bytes(b"")
        case "delete", []:
            path.unlink()
        case "write", []:
            path.write_bytes(case.files[words[0]].encode())
        case "take", [other]:
            path.write_bytes((RUNS / other / words[0]).read_bytes())
        case "replace", [old, new]:
            data = path.read_bytes()
            if unescaped(old) not in data:
                raise SystemExit(f"{case.name}: {words[0]} does not contain '{old}'")
            path.write_bytes(data.replace(unescaped(old), unescaped(new)))
        case "drop-lines", [part]:
            lines = path.read_bytes().splitlines(keepends=True)
            kept = [line for line in lines if unescaped(part) not in line]
            if len(kept) == len(lines):
                raise SystemExit(f"{case.name}: no line of {words[0]} contains '{part}'")
            path.write_bytes(b"".join(kept))
        case "append", [text]:
            path.write_bytes(path.read_bytes() + unescaped(text))
        case "link", [target]:
            path.unlink()
            path.symlink_to(target)
        case "pipe", []:
            path.unlink()
            os.mkfifo(path)
        case "set", [place, value]:
            data = json.loads(path.read_bytes())
            *parents, last = place.split("/")
            node = data
            for key in parents:
                node = node[int(key) if isinstance(node, list) else key]
            node[int(last) if isinstance(node, list) else last] = json.loads(value)
            path.write_text(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
        case _:
            raise SystemExit(f"{case.name}: 'edit: {shlex.join(edit)}' is not understood")


def reseal(folder: pathlib.Path) -> None:
    """Writes the present sizes and checksums of the files into the manifest."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    kept = []
    for artifact in manifest["artifacts"]:
        file = folder / artifact["path"]
        if not file.exists():
            continue
        data = file.read_bytes()
        kept.append(artifact | {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    manifest["artifacts"] = kept
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n")


def sweep(number: int, _frame) -> None:
    """Ends all started processes when the script gets a signal."""
    descendants.bury()
    raise SystemExit(128 + number)


for _number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(_number, sweep)
