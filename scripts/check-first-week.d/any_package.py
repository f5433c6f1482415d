"""The week with a package of somebody else, of which nothing is known but that its tests pass."""

import pathlib
import re
import shutil
import subprocess
import urllib.request

from server import serving
from walk import Walk

FAILING = "import Testing\n\n@Test func kanmonWeek() { #expect([1].count == 2) }\n"


class PackageWeek(Walk):
    """What every package can be asked, in the order of the first days; all that is printed is shown."""

    patience = 3600
    shows = True

    def __init__(self, folder: pathlib.Path, binary: str, source: pathlib.Path):
        super().__init__(folder, binary)
        self.source, self.work = source, folder / source.name

    def walk(self) -> int:
        print(f"{self.source.name}:")
        self.begin()
        self.first_day()
        self.breaking()
        self.excusing()
        self.looking()
        self.committing()
        return self.end()

    def begin(self) -> None:
        """A server with the package as its only commit, without settings, and a clone of it."""
        self.git("init", "--quiet", "--bare", "--initial-branch", "main", self.server, cwd=self.folder)
        shutil.copytree(self.source, self.work, symlinks=True,
                        ignore=shutil.ignore_patterns(".git", ".build", ".swiftpm", ".kanmon.yml"))
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("remote", "add", "origin", self.server)
        self.commit("the package")
        self.git("push", "--quiet", "origin", "main")

    def covered_line(self) -> str | None:
        """A line that the tests execute, as `FILE:LINE`."""
        lcov = subprocess.run([self.binary, "report", "latest", "--format", "lcov"], cwd=self.work, env=self.environment,
                              stdout=subprocess.PIPE, text=True, check=False).stdout
        path = ""
        for line in lcov.splitlines():
            if line.startswith("SF:"):
                path = line[3:].removeprefix(f"{self.work}/")
            elif found := re.fullmatch(r"DA:(\d+),0*[1-9]\d*", line):
                return f"{path}:{found[1]}"
        return None

    def first_day(self) -> None:
        self.kanmon("hooks are installed", "hook", "install", says=["installed .*pre-push"])
        self.kanmon("the first run has a verdict", "run", status=(0, 2), says=["Passed|Blocked"])
        if place := self.covered_line():
            self.kanmon("who answers for a line that was executed", "who", place, says=["execute"], never=["no function that run"])
        self.kanmon("settings are values", "config", "show", says=[r"project +\S+ ", r"swift +/"])
        self.kanmon("the list of runs has a header", "history", says=["run +began +project", "main"])
        self.kanmon("init writes what was covered", "init", says=["wrote ", "Project: "])
        self.commit("settings")
        self.push("the first settings pass the hook", says=["Passed"], never=["floor-lowered"])
        for command in ("report", "gate", "explain"):
            self.kanmon(f"{command} knows HEAD", command, "HEAD", says=["Passed"])

    def test_folder(self) -> pathlib.Path:
        """A folder of a test target."""
        places = [test.get("location", {}).get("path", "") for test in self.report("latest")["tests"]]
        files = [self.work / place for place in places if place and (self.work / place).is_file()]
        return (files or sorted((self.work / "Tests").rglob("*.swift")))[0].parent

    def breaking(self) -> None:
        test = self.test_folder() / "KanmonWeekTests.swift"
        test.write_text(FAILING)
        self.git("add", "--all")
        self.kanmon("a failing run names the test", "run", "--staged", status=1, says=[r"kanmonWeek\(\)", "1 test failed"])
        self.commit("break")
        self.push("a push of it is blocked", status=1, says=["is known from run", r"kanmonWeek\(\)"])
        test.unlink()
        self.commit("fix", "--amend", "--allow-empty")
        self.push("what is fixed passes", says=["Passed"])

    def excusing(self) -> None:
        """What the gate asks two things for takes one command, which names the commits to make."""
        waiver = r"git commit --allow-empty .*Kanmon-Waiver: "
        tests = [test for test in self.report("latest")["tests"] if test["outcome"] == "passed"]
        for test in tests[:1]:
            name = f"{test['module']}.{test['suite'] + '/' if test['suite'] else ''}{test['name']}"
            self.kanmon("quarantine takes one step", "quarantine", name, "--owner", "ada", "--until", "7d", "--reason", "slow net",
                        says=["is in quarantine until ", waiver])
            self.git("checkout", "--quiet", "--", ".kanmon.yml")
        floors = re.findall(r'^ +"?([\w-]+)"?: \{ line: (\d+)', (self.work / ".kanmon.yml").read_text(), flags=re.M)
        for module, floor in [pair for pair in floors if pair[0] != "default" and int(pair[1]) > 1][:1]:
            self.kanmon("floor takes one step", "floor", module, "1", "--reason", "moved", "--until", "7d",
                        says=[f"{module}: line floor 1 %, before {floor} %", waiver])
            self.git("checkout", "--quiet", "--", ".kanmon.yml")

    def looking(self) -> None:
        project = re.split("[/@]", self.report("latest")["run"]["project"])[0]
        with serving(self.binary, "serve", env=self.environment) as server:
            with urllib.request.urlopen(f"{server.address}/", timeout=30) as reply:
                page = reply.read().decode()
        self.tell("the dashboard shows the package", [] if project in page else [page[:500]])

    def committing(self) -> None:
        """The last of all, since every later commit would be judged."""
        self.kanmon("commits are guarded, too", "hook", "install", "--pre-commit", says=["pre-commit", "post-commit"])
        (self.test_folder() / "KanmonWeekTests.swift").write_text(FAILING.replace("== 2", "== 1"))
        self.git("add", "--all")
        self.step("a commit runs what it can break", ("git", "commit", "--message", "one more test"), 0, says=["Passed"])
