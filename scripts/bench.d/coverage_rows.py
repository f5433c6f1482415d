"""The rows of scripts/bench on the coverage of a run, in the largest of the packages that are compared.

The tools are started as a run of the package wrote it down in its manifest, over the same objects; what Kanmon does with
their output is done by its own program. A run removes its raw profiles, so one is made again by its test binary.
"""

import atexit
import json
import os
import pathlib
import shlex
import socket
import subprocess
import sys
import time
import urllib.parse

PACKAGE = ("apple/swift-collections", "1.6.0")
NAME = "swift-collections 1.6.0"
MODULE = "DequeModule"
PAGES = 50


class Run:
    """A judged run of the package, a raw profile of the same binary, and a base that lacks every tenth source."""

    def __init__(self, bench):
        self.bench = bench
        self.package = bench.clone(*PACKAGE)
        self.folder = bench.WORK / "coverage-rows"
        self.home, self.out = self.folder / "home", self.folder / "out"
        manifest = self.out / "run" / "manifest.json"
        command = [bench.kanmon(), "run", "--package-path", self.package, "--home", self.home, "--out", self.out,
                   "--engine", "direct", "--exit-zero"]
        # Judged by this very program: what an earlier one left tells nothing of it.
        if not bench.newer(manifest, pathlib.Path(bench.kanmon())):
            bench.shell(*command, stderr=subprocess.DEVNULL)
        self.manifest = json.loads(manifest.read_text())
        steps = {step["kind"]: step["arguments"] for step in self.manifest["steps"]}
        if missing := {"merge", "export"} - set(steps):
            raise bench.CannotMeasure(f"the run of {NAME} has no step {', '.join(sorted(missing))}")
        self.steps = steps
        self.objects = steps["export"][-1]
        if not pathlib.Path(self.objects[1:]).exists():
            raise bench.CannotMeasure(f"{self.objects[1:]} is gone: remove {self.folder}")
        self.profile, self.raw = self.folder / "merged.profdata", self.folder / "raw.profraw"
        self.binary = pathlib.Path(self.objects[1:]).parent.parent / "debug" / f"{self.manifest['package']}PackageTests.xctest"
        if not bench.newer(self.raw, self.binary):
            subprocess.run([self.binary], env={**os.environ, "LLVM_PROFILE_FILE": str(self.raw)},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def tool(self, kind: str, output: pathlib.Path) -> str:
        """A step of the run with the profiles of this folder; nothing where the run had no such step."""
        if kind not in self.steps:
            return ":"
        words = [f"-instr-profile={self.profile}" if word.startswith("-instr-profile=") else word for word in self.steps[kind]]
        return f"{shlex.join(words)} > {shlex.quote(str(output))}"

    def merge(self) -> str:
        return shlex.join([self.steps["merge"][0], "merge", "-sparse", "-o", str(self.profile), str(self.raw)])

    def export(self) -> str:
        return self.tool("export", pathlib.Path("/dev/null"))

    def stage(self) -> str:
        """What a run does for its coverage, from the raw profile to files with the states of their lines."""
        export, inventory = self.folder / "coverage.json", self.folder / "inventory.json"
        lines = ["set -e", self.merge(), self.tool("export", export), self.tool("inventory", inventory),
                 self.tool("demangle", self.folder / "names")]
        # A run looks at both while the objects are there.
        lines += [shlex.join([self.bench.kanmon(), "bench", "parse-coverage", str(file)])
                  for kind, file in (("export", export), ("inventory", inventory)) if kind in self.steps]
        # What it reads as evidence, functions and all, is read by whoever asks for a module.
        lines.append(shlex.join([self.bench.kanmon(), "explain", self.manifest["runID"], MODULE, "--home", str(self.home),
                                 "--json"]) + " > /dev/null")
        return "\n".join(lines)

    def base(self) -> str:
        """A commit without parents from which every tenth source is missing, so that all of its lines are new."""
        environment = {**os.environ, "GIT_INDEX_FILE": str(self.folder / "index")}
        for who in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{who}_NAME": "a", f"GIT_{who}_EMAIL": "a@example.org",
                            f"GIT_{who}_DATE": "2026-01-01T00:00:00Z"}

        def git(*words) -> str:
            return self.bench.shell("git", "-C", self.package, *words, env=environment).strip()

        git("read-tree", "HEAD")
        sources = [path for path in git("ls-files", "Sources").splitlines() if path.endswith(".swift")]
        git("update-index", "--force-remove", *sources[::10])
        return git("commit-tree", git("write-tree"), "-m", "an earlier state")


def stage(bench) -> list:
    """Everything that a run does for its coverage, against the one export that it rests on."""
    run = Run(bench)
    # The export needs a merged profile.
    bench.shell("bash", "-c", run.merge())
    ours = bench.Side("kanmon", ["bash", "-c", run.stage()])
    reference = bench.Side("llvm-cov export", ["bash", "-c", run.export()])
    return [bench.Row(f"{NAME}: coverage stage of a run", ours, reference, "cpu", 5),
            bench.Row(f"{NAME}: coverage stage, memory", ours, reference, "memory", 2)]


def phase(bench):
    """The same with a base and the lines that a change adds, against what `swift test --enable-code-coverage` does."""
    run = Run(bench)
    gate = shlex.join([bench.kanmon(), "gate", "--home", str(run.home), "--package-path", str(run.package), "--run",
                       run.manifest["runID"], "--base", run.base(), "--json"])
    profile = run.folder / "swiftpm.profdata"
    # SwiftPM's own commands: CoverageCommand and `llvm-cov export` of the test binary.
    reference = "\n".join([
        "set -e",
        shlex.join([run.steps["merge"][0], "merge", "-sparse", str(run.raw), "-o", str(profile)]),
        shlex.join([run.steps["export"][0], "export", f"-instr-profile={profile}", str(run.binary)]) + " > /dev/null",
    ])
    return bench.Row(f"{NAME}: coverage with patch and base",
                     bench.Side("kanmon", ["bash", "-c", f"{run.stage()}\n{gate} > /dev/null || [ $? -le 4 ]"]),
                     bench.Side("SwiftPM's merge and export", ["bash", "-c", reference]), "cpu", 0.8)


def source_page(bench):
    """The pages of the longest sources, each made anew, over one connection."""
    run = Run(bench)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    server = subprocess.Popen([bench.kanmon(), "serve", "--home", run.home, "--port", str(port)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(server.terminate)
    report = json.loads((run.out / "report.json").read_text())
    files = sorted(report["files"], key=lambda file: file["lines"]["total"], reverse=True)[:PAGES]
    run_page = f"http://127.0.0.1:{port}/runs/{run.manifest['runID']}"
    addresses = [f"{run_page}/source?path={urllib.parse.quote(file['path'], safe='')}" for file in files]
    store = run.home / "kanmon.sqlite"
    fetch = [sys.executable, bench.PARTS / "fetch-pages.py"]
    for _ in range(100):
        if subprocess.run([*map(str, fetch), str(store), addresses[0]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            break
        time.sleep(0.1)
    else:
        raise bench.CannotMeasure(f"{addresses[0]} is not answered")
    return bench.Row(f"{NAME}: the pages of the {len(addresses)} longest sources",
                     bench.Side("kanmon", [*fetch, store, *addresses]),
                     bench.Side("20 ms a page", [*fetch, "--wait", "0.02", len(addresses)]), "wall", 1)
