"""Repositories for hooks: a package with a dependency that SwiftPM fetches through git, a bare remote, and Kanmon's hooks.

Nothing of the user's is in it: a home, settings, a store and a cache of their own, dates that stand still.
"""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import descendants
import surroundings

PACKAGE = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Kit",
    dependencies: [.package(url: "file://{dependency}", from: "1.0.0")],
    targets: [
        .target(name: "Core", dependencies: [.product(name: "Dep", package: "dependency")]),
        .testTarget(name: "CoreTests", dependencies: ["Core"]),
    ]
)
"""
CORE = "import Dep\n\npublic func answer() -> Int { half() * 2 }\n"
TESTS = "import Core\nimport Testing\n\n@Test func theAnswer() { #expect(answer() == 42) }\n"
DEPENDENCY = {
    "Package.swift": "// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(name: \"Dep\", "
    "products: [.library(name: \"Dep\", targets: [\"Dep\"])], targets: [.target(name: \"Dep\")])\n",
    "Sources/Dep/Dep.swift": "public func half() -> Int { 21 }\n",
}
BROKEN = "import Dep\n\npublic func answer() -> Int { half() * 3 }\n"


class World:
    def __init__(self, folder: pathlib.Path, binary: str):
        self.folder = folder
        self.binary = binary
        (folder / "tmp").mkdir(parents=True)
        date = "2026-01-02T03:04:05Z"
        self.environment = surroundings.environment(
            folder, KANMON_HOME=folder / "store", TMPDIR=folder / "tmp", GIT_EDITOR="true", GIT_AUTHOR_DATE=date,
            GIT_COMMITTER_DATE=date)
        self.user = folder / "user"
        (self.user / ".gitconfig").write_text(
            "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n")

    def run(self, *command, cwd=None, check=True, **options) -> subprocess.CompletedProcess:
        done = subprocess.run([str(word) if not isinstance(word, bytes) else word for word in command], cwd=cwd,
                              env=self.environment | options.pop("env", {}), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=900, check=False,
                              **({"stdin": subprocess.DEVNULL} if "input" not in options else {}), **options)
        if check and done.returncode != 0:
            sys.stderr.buffer.write(done.stdout)
            raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}")
        return done

    def git(self, repository, *words, **options) -> str:
        return self.run("git", "-C", repository, *words, **options).stdout.decode(errors="surrogateescape").strip()

    def kanmon(self, *words, **options) -> subprocess.CompletedProcess:
        return self.run(self.binary, *words, **options)

    def make_package(self, name="work") -> pathlib.Path:
        """A repository with one commit, whose dependency is another repository."""
        dependency = self.folder / "dependency"
        if not dependency.exists():
            dependency.mkdir()
            self.git(dependency, "init", "--quiet")
            surroundings.write(dependency, DEPENDENCY)
            self.git(dependency, "add", "--all")
            self.git(dependency, "commit", "--quiet", "--message", "one")
            self.git(dependency, "tag", "1.0.0")
        repository = self.folder / name
        repository.mkdir()
        self.git(repository, "init", "--quiet")
        surroundings.write(repository, {
            "Package.swift": PACKAGE.format(dependency=dependency), "Sources/Core/Core.swift": CORE,
            "Tests/CoreTests/CoreTests.swift": TESTS, ".gitignore": ".build\nPackage.resolved\n"})
        self.git(repository, "add", "--all")
        return repository

    def newest_tree(self) -> str:
        """The tree of the newest run, from its evidence."""
        runs = self.runs()
        return json.loads(pathlib.Path(runs[0]["runDirectory"], "manifest.json").read_text())["revision"]["tree"]

    def judged_trees(self) -> set:
        """The trees of all runs, from their evidence."""
        manifests = (json.loads(pathlib.Path(run["runDirectory"], "manifest.json").read_text()) for run in self.runs())
        return {manifest["revision"]["tree"] for manifest in manifests if manifest.get("revision")}

    def runs(self) -> list:
        """Every stored run, the newest first."""
        done = self.kanmon("history", "--all", "--json", "--limit", "500", check=False)
        return json.loads(done.stdout) if done.returncode == 0 else []


def digest(path: pathlib.Path) -> str:
    if path.is_symlink():
        return "link " + os.readlink(path)
    return hashlib.sha256(path.read_bytes()).hexdigest() + f" {path.stat().st_mode:o}" if path.is_file() else "folder"


def file_digests(folder: pathlib.Path, without=(".git",)) -> dict:
    """Every file and link below a folder with its bytes, except in folders with certain names."""
    found = {}
    top = os.fsencode(folder)
    left_out = {os.fsencode(name) for name in without}
    for place, folders, names in os.walk(top):
        # A link to a folder is not a folder here.
        names += [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = [name for name in folders if name not in left_out]
        for name in names:
            if name not in left_out:
                path = os.path.join(place, name)
                found[os.path.relpath(path, top)] = digest(pathlib.Path(os.fsdecode(path)))
    return found


def state(world: World, repository: pathlib.Path) -> dict:
    """What must stay byte-identical: work tree, index, HEAD, refs, stash, configuration; no lock or other file may be added."""
    directory = pathlib.Path(world.git(repository, "rev-parse", "--absolute-git-dir"))
    common = pathlib.Path(world.git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    index = directory / "index"
    return {
        "files": file_digests(repository),
        "index": digest(index) if index.exists() else None,
        "head": (directory / "HEAD").read_text(),
        "refs": world.git(repository, "for-each-ref", "--format=%(refname) %(objectname)"),
        "stash": world.git(repository, "stash", "list"),
        "config": digest(common / "config"),
        "locks": sorted(str(path) for path in common.rglob("*.lock") if "kanmon" not in path.parts),
        "leftovers": sorted({*os.listdir(directory), *os.listdir(common)} - {"kanmon", "worktrees", "ORIG_HEAD"}),
    }


def differences(before: dict, after: dict) -> list:
    return [name for name in before if before[name] != after[name]]


def logical_state(world: World, repository: pathlib.Path) -> dict:
    """The same without what differs between two copies of a folder: times and inodes in the index."""
    found = state(world, repository)
    found["index"] = world.git(repository, "ls-files", "--stage", "-v", "-z")
    found["locks"] = [lock.removeprefix(str(repository)) for lock in found["locks"]]
    del found["config"]
    return found


def repository_state(world: World, repository: pathlib.Path, changing: list) -> dict:
    """What must not change in another repository: everything except what git itself may change there."""
    return {"files": file_digests(repository, ["kanmon", *changing]), "refs": world.git(repository, "for-each-ref")}


def fsck(world: World, repository) -> str:
    done = world.run("git", "-C", repository, "fsck", "--strict", "--no-dangling", "--connectivity-only", check=False)
    return "" if done.returncode == 0 else done.stdout.decode(errors="replace")


def kill_kanmon(world: World, command: list, cwd, delay: float, binary: str) -> tuple:
    """Starts a command, waits for Kanmon below it, and kills that with -9 a while later.

    Gives the command's status, whether Kanmon was there to be killed, and what it said last.
    """
    said = world.folder / "said.txt"
    with open(said, "wb") as file:
        process = subprocess.Popen([str(word) for word in command], cwd=cwd, env=world.environment,
                                   stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 60
    victim = None
    while victim is None and process.poll() is None and time.monotonic() < deadline:
        for pid in descendants.alive(process.pid):
            try:
                if os.readlink(f"/proc/{pid}/exe") == binary:
                    victim = pid
            except OSError:
                continue
        time.sleep(0.005)
    killed = False
    if victim is not None:
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            try:
                os.kill(victim, signal.SIGKILL)
                killed = True
            except ProcessLookupError:
                pass
    status = process.wait(timeout=600)
    lines = said.read_text(errors="replace").replace("remote: ", "").splitlines()
    steps = [word for line in lines for word in line.split(maxsplit=1)[:1]
             if word.strip(",") in ("building", "built", "nothing", "testing", "tested", "reading")]
    return status, killed, f"after '{steps[-1].strip(',')}'" if steps else "before the build"
