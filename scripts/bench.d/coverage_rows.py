"""The rows of scripts/bench about coverage, measured with the largest of the compared packages.

Kanmon does behind the tests what every run does, in one process (`kanmon judge-profiles`): it reads the raw profiles and the
objects, writes the export, names functions, judges, stores, and leaves a run directory. What comes before the tests is not
in it: the build, the list of tests, the sources that are kept. The references are the toolchain's own commands over the same profiles, which are those of the whole test suite, one of each library.
"""

import atexit
import functools
import json
import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse

PACKAGE = "swift-collections"
NAME = "swift-collections 1.6.0"
# The run itself tests one module; measured are profiles of the whole suite, which take minutes to make.
TESTS = "^DequeTests"
PAGES = 50


class Run:
    """A judged run of a part of the package, the raw profiles of its whole suite, and a base that lacks every tenth source."""

    def __init__(self, bench):
        self.bench = bench
        self.package = bench.clone(PACKAGE)
        self.folder = bench.WORK / "coverage-rows"
        self.home, self.out = self.folder / "home", self.folder / "out"
        manifest = self.out / "run" / "manifest.json"
        command = [bench.kanmon(), "run", "--package-path", self.package, "--home", self.home, "--out", self.out,
                   "--engine", "direct", "--filter", TESTS, "--exit-zero"]
        # Judged by this binary, since results of an earlier one say nothing about it.
        if not bench.newer(manifest, pathlib.Path(bench.kanmon())):
            bench.shell(*command, stderr=subprocess.DEVNULL)
        self.manifest = json.loads(manifest.read_text())
        if "coverage" not in self.manifest:
            raise bench.CannotMeasure(f"the coverage of {NAME} was left to LLVM's tools")
        self.tools = pathlib.Path(self.manifest["coverage"]["tools"])
        objects = pathlib.Path(self.manifest["coverage"]["objects"])
        if not objects.exists():
            raise bench.CannotMeasure(f"{objects} is gone: remove {self.folder}")
        # A run empties the folder with its list of objects, and this folder is measured too.
        self.objects = self.folder / "objects.rsp"
        shutil.copy(objects, self.objects)
        self.binary = objects.parent.parent / "debug" / f"{self.manifest['package']}PackageTests.xctest"
        self.profiles, self.merged = self.folder / "profiles", self.folder / "merged.profdata"
        self.profiles.mkdir(exist_ok=True)
        self.raw = [self.profile("xctest"), self.profile("swift-testing", "--testing-library", "swift-testing")]

    def profile(self, name: str, *options: str) -> pathlib.Path:
        """The profiles of the tests of one library; a run removes them, so the tests run once more."""
        file = self.profiles / f"{name}.profraw"
        if not self.bench.newer(file, self.binary):
            part = file.with_suffix(".part")
            done = subprocess.run([self.binary, *options], env={**os.environ, "LLVM_PROFILE_FILE": str(part)},
                                  cwd=self.package, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                raise self.bench.CannotMeasure(f"the tests of {NAME} end with {done.returncode}")
            part.rename(file)
        return file

    def merge(self) -> str:
        """SwiftPM's own command (CoverageCommand)."""
        return shlex.join([str(self.tools / "llvm-profdata"), "merge", "-sparse", *map(str, self.raw), "-o", str(self.merged)])

    def export(self, *binaries) -> str:
        return shlex.join([str(self.tools / "llvm-cov"), "export", f"-instr-profile={self.merged}", *map(str, binaries)]) + \
            f" > {shlex.quote(str(self.folder / 'export.json'))}"

    def measure(self, *options) -> list:
        return [self.bench.kanmon(), "judge-profiles", self.profiles, "--package-path", self.package, "--home",
                self.home, *options]

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


@functools.cache
def judged(bench) -> Run:
    return Run(bench)


def stage(bench) -> list:
    """Everything that a run does for its coverage, compared with the export alone."""
    run = judged(bench)
    # The export needs a merged profile.
    bench.shell("bash", "-c", run.merge())
    ours = bench.Side("kanmon", run.measure())
    reference = bench.Side("llvm-cov export", ["bash", "-c", run.export(f"@{run.objects}")])
    return [bench.Row(f"{NAME}: coverage stage of a run", ours, reference, "cpu", 5),
            bench.Row(f"{NAME}: coverage stage, memory", ours, reference, "memory", 2)]


def phase(bench) -> list:
    """The same with a base and the added lines of a change, compared with `swift test --enable-code-coverage`."""
    run = judged(bench)
    reference = bench.Side("SwiftPM's merge and export", ["bash", "-c", f"set -e\n{run.merge()}\n{run.export(run.binary)}"])
    compared = run.measure("--base", run.base())
    for command in (run.measure(), compared):
        bench.shell(*command)
    return [bench.Row(f"{NAME}: merge, export, parse, store", bench.Side("kanmon", run.measure()), reference, "cpu", 0.75),
            bench.Row(f"{NAME}: coverage with patch and base", bench.Side("kanmon", compared), reference, "cpu", 0.8)]


def source_page(bench):
    """The pages of the longest sources, each rendered again, over one connection."""
    run = judged(bench)
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
                     bench.Side("20 ms a page", [*fetch, "--wait", "0.02", len(addresses)]), "wall", 1.5)
