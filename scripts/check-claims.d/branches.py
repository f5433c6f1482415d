"""A package with a strict main branch, and what Kanmon says of it."""

import json
import shutil
import subprocess
import urllib.request

import server
import surroundings

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Kit", targets: [.target(name: "Core"), .testTarget(name: "CoreTests", dependencies: ["Core"])])
"""
TEST = "import Core\nimport Testing\n@Test func ones() { #expect(one() == 1) }\n"
UNCOVERED = "public func other(_ a: Int) -> Int {\n    var result = a * 13\n    result += 5\n    result += 6\n    return result\n}\n"


class Branches:
    """A package with a strict main branch, one store, and what is found wrong."""

    def __init__(self, world):
        self.world = world
        self.faults: list[str] = []
        world.begin()
        shutil.rmtree(world.work)
        world.work.mkdir()
        world.git("init", "--quiet", "--initial-branch", "main")
        self.floor(90)
        self.write("Package.swift", MANIFEST)
        self.write(".gitignore", ".build\n")
        self.write("Sources/Core/Core.swift", "public func one() -> Int { 1 }\n")
        self.write("Tests/CoreTests/CoreTests.swift", TEST)
        self.commit("strict")

    def write(self, name: str, text: str) -> None:
        surroundings.write(self.world.work, {name: text})

    def floor(self, percent: int) -> None:
        self.write(".kanmon.yml", f"version: 1\nproject: kit\ncoverage:\n  modules: {{ default: {percent} }}\n")

    def git(self, *words: str, folder=None) -> str:
        return subprocess.run(
            ["git", "-C", folder or self.world.work, *words], check=True, env=self.world.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def weaken(self) -> str:
        """A commit that lowers the floor and adds code that no test runs."""
        self.floor(10)
        self.write("Sources/Core/Other.swift", UNCOVERED)
        return self.commit("weak")

    def kanmon(self, *words, folder=None, **variables) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.world.binary, *words, "--package-path", folder or self.world.work, "--home", self.world.folder / "home"],
            env=self.world.environment | variables, cwd=self.world.folder, capture_output=True, text=True)

    def expect(self, what: str, found, expected) -> None:
        if found != expected:
            self.faults.append(f"{what}: {found}, not {expected}")

    def run(self, what: str, status: int, *words, **options) -> dict:
        """A run of a commit, as JSON; the status is that of the verdict."""
        done = self.kanmon("run", "--json", *(words or ("--commit", "HEAD")), **options)
        self.expect(f"the run of {what} ends with", done.returncode, status)
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            self.faults.append(f"{what}: {done.stdout[-500:]} {done.stderr[-500:]}")
            return {}

    def audit(self, expected: dict) -> None:
        """What `audit` says of commits, by their full names."""
        done = self.kanmon("audit", "HEAD", "--json")
        found = {entry["commit"]: entry.get("decision") for entry in json.loads(done.stdout)["entries"]}
        self.expect("the audit says", {name: found.get(name) for name in expected}, expected)

    def badge(self, expected: str) -> None:
        """What badge, metrics and `latest` say of the default branch."""
        with server.serving(
                self.world.binary, "serve", "--home", str(self.world.folder / "home"), env=self.world.environment) as serving:
            def ask(path: str) -> str:
                with urllib.request.urlopen(serving.address + path) as answer:
                    return answer.read().decode()
            message = json.loads(ask("/badge.json?project=kit"))["message"]
            self.expect("the badge says", message[:len(expected)], expected)
            passed = 'kanmon_passed{project="kit"} 1' in ask("/metrics")
            self.expect("the metric says passed", passed, "passed" in expected)
            latest = json.loads(ask("/latest.json?project=kit"))["verdict"]["decision"]
            self.expect("the latest run is", latest == "passed", "passed" in expected)
