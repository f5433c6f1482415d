"""Counts the evidence of a run without any of Kanmon's code, and reads Kanmon's report about it."""

import collections
import datetime
import json
import os
import pathlib
import subprocess

from tools import ROOT


class CannotCompare(Exception):
    pass


def read_json(path: pathlib.Path):
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        raise CannotCompare(f"{path} does not exist") from None
    except ValueError as error:
        raise CannotCompare(f"{path}: {error}") from None


def json_lines(path: pathlib.Path):
    """The records of a file with one JSON object a line; an incomplete last line, left by a crash, is ignored."""
    for line in path.read_bytes().split(b"\n")[:-1]:
        if line.strip():
            yield json.loads(line)


# --- test cases -------------------------------------------------------------------------------------------------------


def xctest_outcomes(records: list[pathlib.Path], lists: list[pathlib.Path], cut_short: str) -> dict:
    """Identity → outcome of every XCTest case. `cut_short` is the outcome of a test that started and never ended."""
    outcomes = {}

    def walk(node, parent):
        name = node["name"]
        if "tests" in node:
            for child in node["tests"]:
                walk(child, name)
        else:
            outcomes[(parent, name)] = "not-run"

    for path in lists:
        root = read_json(path)
        for suite in root["tests"]:
            walk(suite, None)
    for path in records:
        for record in json_lines(path):
            identity = (record.get("cls"), record.get("name"))
            if record["ev"] == "start":
                outcomes[identity] = cut_short
            elif record["ev"] == "end":
                if record["failures"] or record["unexpected"]:
                    outcomes[identity] = "failed"
                else:
                    outcomes[identity] = "skipped" if record["skipped"] else "passed"
    return outcomes


def swift_testing_outcomes(streams: list[pathlib.Path], lists: list[pathlib.Path], cut_short: str) -> dict:
    """Identity → outcome of every Swift Testing function; a parameterized one is one test case."""
    functions, started, ended, skipped = set(), set(), set(), set()
    failed, known = set(), set()
    for path in lists + streams:
        for record in json_lines(path):
            payload = record["payload"]
            identity = payload.get("testID")
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    functions.add(payload["id"])
            elif payload["kind"] == "testStarted":
                started.add(identity)
            elif payload["kind"] == "testEnded":
                ended.add(identity)
            elif payload["kind"] in ("testSkipped", "testCancelled"):
                skipped.add(identity)
            elif payload["kind"] == "issueRecorded":
                issue = payload["issue"]
                if issue["isKnown"]:
                    known.add(identity)
                elif issue.get("isFailure", True):
                    failed.add(identity)
    outcomes = {}
    for identity in functions:
        if identity in started and identity not in ended:
            outcomes[identity] = cut_short
        elif identity in failed:
            outcomes[identity] = "failed"
        elif identity in skipped:
            outcomes[identity] = "skipped"
        elif identity in known:
            outcomes[identity] = "known-issue"
        else:
            outcomes[identity] = "passed" if identity in ended else "not-run"
    return outcomes


def count_tests(run: pathlib.Path, manifest: dict) -> collections.Counter:
    def files(role):
        return [run / artifact["path"] for artifact in manifest["artifacts"] if artifact["role"] == role]

    codes = {gap["code"] for gap in manifest["gaps"]}
    timed_out = any(step["wasTimedOut"] for step in manifest["steps"] if step["kind"] == "test")
    cut_short = "timed-out" if timed_out or "timed-out" in codes else "not-run" if "interrupted" in codes else "crashed"
    outcomes = list(xctest_outcomes(files("observer-records"), files("xctest-list"), cut_short).values())
    outcomes += swift_testing_outcomes(files("event-stream"), files("swift-testing-list"), cut_short).values()
    return collections.Counter(outcomes)


# --- lines ------------------------------------------------------------------------------------------------------------


def described_targets(root: str) -> list:
    done = subprocess.run(["swift", "package", "--package-path", root, "describe", "--type", "json"],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise CannotCompare(f"swift package describe fails in {root}")
    return json.loads(done.stdout)["targets"]


def export_command(manifest: dict) -> list[str]:
    """The command by which llvm-cov exports the profiles and objects of the run, or would if Kanmon had not read them itself."""
    coverage = manifest.get("coverage")
    if not coverage:
        return [step["arguments"] for step in manifest["steps"] if step["kind"] == "export"][-1]
    for profile in coverage["profiles"]:
        expect_of_run(manifest, profile)
    merged = os.path.join(os.path.dirname(coverage["objects"]), "merged.profdata")
    done = subprocess.run([os.path.join(coverage["tools"], "llvm-profdata"), "merge", "-sparse", "-failure-mode=all", "-o", merged,
                           *coverage["profiles"]], check=False)
    if done.returncode:
        raise CannotCompare(f"llvm-profdata merge ends with {done.returncode}")
    return [os.path.join(coverage["tools"], "llvm-cov"), "export", "-format=text", "-num-threads=1",
            f"-instr-profile={merged}", f"@{coverage['objects']}"]


def expect_of_run(manifest: dict, profile: str) -> None:
    # The time of a file is that of the kernel's last tick, which may be slightly earlier than the clock.
    begin = datetime.datetime.fromisoformat(manifest["startedAt"].replace("Z", "+00:00")).timestamp()
    end = begin + manifest["duration"] / 1e9
    if not os.path.exists(profile) or not begin - 1 <= os.path.getmtime(profile) <= end + 1:
        raise CannotCompare(f"{profile} is not, or no longer, a profile of this run")


def lcov_command(manifest: dict) -> list[str]:
    """The export of the run in another format, by the same tool from the same profiles and objects."""
    command = export_command(manifest)
    if "coverage" not in manifest:
        expect_of_run(manifest, next(word.split("=", 1)[1] for word in command if word.lstrip("-").startswith("instr-profile=")))
    kept = [word for word in command[2:] if not word.startswith(("-format", "-skip"))]
    return [command[0], "export", "-format=lcov", *kept]


def covered_lines(manifest: dict) -> dict:
    """Source path → {line: count}, each line once."""
    done = subprocess.run(lcov_command(manifest), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise CannotCompare(f"llvm-cov export ends with {done.returncode}")
    files, lines = {}, None
    for record in done.stdout.split(b"\n"):
        if record.startswith(b"SF:"):
            lines = files.setdefault(os.fsdecode(record[3:]), {})
        elif record.startswith(b"DA:"):
            line, count = record[3:].split(b",")[:2]
            lines[int(line)] = max(int(count), lines.get(int(line), 0))
    return files


def count_lines(manifest: dict) -> dict:
    """Module → (covered, total) for own targets but tests and snippets, by the sources the package itself names."""
    if "coverage" not in manifest and not any(step["kind"] == "export" for step in manifest["steps"]):
        return {}
    root = pathlib.Path(manifest["packageRoot"])
    module_of = {}
    for target in described_targets(str(root)):
        # Snippets are examples; they have no floor.
        if target["type"] not in ("test", "snippet"):
            for source in target["sources"]:
                module_of[os.path.normpath(root / target["path"] / source)] = target["name"]
    counts = {}
    for path, lines in covered_lines(manifest).items():
        module = module_of.get(os.path.normpath(path))
        if module is None or not lines:
            continue
        covered, total = counts.get(module, (0, 0))
        counts[module] = (covered + sum(count > 0 for count in lines.values()), total + len(lines))
    return counts


# --- reports ----------------------------------------------------------------------------------------------------------


def judged(package: pathlib.Path, engine: str, folder: pathlib.Path) -> pathlib.Path:
    """Runs Kanmon on the package; returns the folder of reports. With `--exit-zero`, since any verdict is accepted here."""
    command = [str(ROOT / "scripts" / "kanmon"), "run", "--package-path", str(package), "--engine", engine,
               "--home", str(folder / "home"), "--out", str(folder / engine), "--json", "--exit-zero"]
    shallow = subprocess.run(["git", "-C", str(package), "rev-parse", "--is-shallow-repository"],
                             capture_output=True, text=True, check=False)
    if shallow.stdout.strip() == "true":
        # A clone without history cannot be compared with the commit before.
        command += ["--base", "HEAD"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise CannotCompare(f"kanmon run --engine {engine} ends with {done.returncode}")
    return folder / engine


def line_states(reports: pathlib.Path) -> dict:
    """(file, line) → whether it was covered, from the published LCOV."""
    states, file = {}, None
    path = reports / "lcov.info"
    for record in path.read_bytes().split(b"\n") if path.exists() else []:
        if record.startswith(b"SF:"):
            file = os.fsdecode(record[3:])
        elif record.startswith(b"DA:"):
            line, count = record[3:].split(b",")[:2]
            states[f"{file}:{int(line)}"] = int(count) > 0
    return states


def differences(one: dict, other: dict):
    for key in sorted(set(one) | set(other), key=repr):
        if one.get(key) != other.get(key):
            yield key, one.get(key), other.get(key)
