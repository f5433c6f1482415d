"""Runs of one package in several ways, and whether their results are equal."""

import collections
import pathlib
import subprocess

import counting


def kanmon(folder: pathlib.Path, name: str, *arguments: str) -> dict:
    """Runs a command of Kanmon with its own store; returns its report and exit status."""
    command = [str(counting.ROOT / "scripts" / "kanmon"), *arguments, "--home", str(folder / f"home-{name}"),
               "--out", str(folder / name)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    report = folder / name / "report.json"
    if not report.exists():
        raise counting.CannotCompare(f"kanmon {arguments[0]} left no report, and ends with {done.returncode}")
    return counting.read_json(report) | {"status": done.returncode}


def outcomes(report: dict) -> dict:
    return {tuple(test.get(part, "") for part in ("module", "suite", "name", "file")): test["outcome"]
            for test in report["tests"]}


def figures(report: dict) -> dict:
    return {module["name"]: tuple((module[key]["covered"], module[key]["total"])
                                  for key in ("lines", "regions", "functions"))
            for module in report["modules"] if "notMeasurable" not in module}


def raw_outcomes(runs: list[pathlib.Path]) -> collections.Counter:
    """The number of tests with each outcome in the records of the runs, without those that a shard lists but did not run."""
    total = collections.Counter()
    for run in runs:
        total += counting.count_tests(run, counting.read_json(run / "manifest.json"))
    del total["not-run"]
    return total


class Comparison:
    def __init__(self):
        self.same = True

    def compare(self, what: str, one, other):
        found = [] if one == other else ["differs"]
        if isinstance(one, dict) and isinstance(other, dict):
            found = [f"{key}: {left} / {right}" for key, left, right in counting.differences(one, other)]
        size = f"{len(one)}" if isinstance(one, dict) else f"{one}"
        print(f"  {what:52} {size:>10}  {'same' if not found else f'{len(found)} differ'}")
        for line in found[:10]:
            print(f"    {line}")
        self.same = self.same and not found

    def expect_gap(self, what: str, report: dict, code: str):
        codes = sorted({gap["code"] for gap in report["gaps"]})
        good = report["status"] == 4 and code in codes and report["verdict"]["decision"] == "undecided"
        print(f"  {what:52} status {report['status']}, {', '.join(codes)}{'' if good else '  WRONG'}")
        self.same = self.same and good
