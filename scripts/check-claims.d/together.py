"""What runs say of each other and to others, for scripts/check-claims: packages of one tree, clones of one name, shards of one run, code
that comes in without a changed line, and reports that somebody reads alone.

Each scenario is a function of a `World` that returns its faults.
"""

import json
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import surroundings

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "{name}", targets: [
    .target(name: "Core"{more}),
    .testTarget(name: "CoreTests", dependencies: ["Core"]),
])
"""
TEST = "import Core\nimport XCTest\nfinal class {name}: XCTestCase {{ func testOne() {{ XCTAssertEqual(one(), 1) }} }}\n"
CODE = "public func one() -> Int {\n    1\n}\n"
# Code that no test executes.
UNTESTED = "public func two() -> Int {\n    let one = 1\n    let two = one + one\n    return two\n}\n"


class Place:
    """A repository in a world, and the program in it."""

    def __init__(self, world, name: str = "place"):
        self.world, self.root = world, world.folder / name
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(world.folder / "home", ignore_errors=True)
        self.root.mkdir()
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *words: str) -> str:
        return subprocess.run(
            ["git", "-C", self.root, "-c", "protocol.file.allow=always", *words], check=True, env=self.world.environment,
            stdout=subprocess.PIPE, text=True).stdout.strip()

    def package(self, folder: str = "", name: str = "Kit", settings: str = "", more: str = "", **files) -> None:
        base = self.root / folder
        surroundings.write(base, {
            "Package.swift": MANIFEST.format(name=name, more=more), ".kanmon.yml": settings or "{}\n",
            ".gitignore": ".build\nPackage.resolved\n", "Sources/Core/Core.swift": CODE,
            "Tests/CoreTests/A.swift": TEST.format(name="A"), "Tests/CoreTests/B.swift": TEST.format(name="B"),
        } | files)

    def write(self, **files) -> None:
        surroundings.write(self.root, files)

    def commit(self, message: str = "m") -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def kanmon(self, *words, folder: str = "", cache: str = "cache") -> subprocess.CompletedProcess:
        place = [] if words[0] == "merge" else ["--package-path", self.root / folder]
        return subprocess.run(
            [self.world.binary, *words, *place, "--home", self.world.folder / "home"],
            env=self.world.environment | {"XDG_CACHE_HOME": str(self.world.folder / cache)}, cwd=self.world.folder,
            capture_output=True, text=True)

    def run(self, *words, folder: str = "", cache: str = "cache") -> tuple[int, dict]:
        done = self.kanmon("run", "--json", *words, folder=folder, cache=cache)
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            return done.returncode, {"gaps": [{"code": f"no report: {done.stderr[-800:]}"}], "violations": [], "tests": []}


def wants(what: str, found, wanted) -> list[str]:
    return [] if found == wanted else [f"{what}: {found}, not {wanted}"]


def codes(report: dict, key: str = "gaps") -> list[str]:
    return [entry.get("code") or entry.get("rule") for entry in report[key]]


# ---- Packages of one tree, and clones of one name


def two_packages_of_one_project(world) -> list[str]:
    """A run of one package of a tree, and the shards of it, answer for no other, also where both have one project."""
    place = Place(world)
    for folder in ("A", "B"):
        place.package(folder, settings="project: both\n")
    place.write(**{"B/Tests/CoreTests/A.swift": TEST.format(name="A").replace(", 1)", ", 2)")})
    place.commit()
    faults = wants("the run of A", place.run("--commit", "HEAD", folder="A")[0], 0)
    faults += wants("the audit of A", place.kanmon("audit", "HEAD", folder="A").returncode, 0)
    faults += wants("the audit of B", place.kanmon("audit", "HEAD", folder="B").returncode, 2)
    faults += wants("the run of B", place.run("--commit", "HEAD", folder="B")[0], 1)
    shutil.rmtree(world.folder / "home")
    outs = [world.folder / f"out{number}" for number in (1, 2)]
    for number, out in enumerate(outs, 1):
        place.run("--commit", "HEAD", "--shard", f"{number}/2", "--out", out, folder="A")
    faults += wants("the merge", place.kanmon("merge", *outs, "--expect-shards", "2").returncode, 0)
    faults += wants("the audit of A by shards", place.kanmon("audit", "HEAD", folder="A").returncode, 0)
    faults += wants("the audit of B by shards", place.kanmon("audit", "HEAD", folder="B").returncode, 2)
    return faults


def merged_shards_at_a_server(world) -> list[str]:
    """A server that looks verdicts up takes the merged run of a package for no other package of the tree."""
    place = Place(world)
    place.package("A")
    place.package("B")
    place.commit()
    outs = [world.folder / f"out{number}" for number in (1, 2)]
    for number, out in enumerate(outs, 1):
        place.run("--commit", "HEAD", "--shard", f"{number}/2", "--out", out, folder="A")
    faults = wants("the merge", place.kanmon("merge", *outs, "--expect-shards", "2").returncode, 0)
    for folder, status in (("A", True), ("B", False)):
        server = world.folder / "server.git"
        shutil.rmtree(server, ignore_errors=True)
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", "main", server], check=True, env=world.environment)
        installed = subprocess.run(
            [world.binary, "hook", "install", "--server", "verify", "--subpath", folder, "--package-path", server, "--home",
             world.folder / "home"], env=world.environment, capture_output=True, text=True)
        if installed.returncode:
            return faults + [f"the hook of {folder}: {installed.stderr}"]
        push = subprocess.run(
            ["git", "-C", place.root, "push", "--quiet", "--no-verify", server, "HEAD:refs/heads/main"], env=world.environment,
            capture_output=True, text=True)
        faults += wants(f"the push of {folder}", push.returncode == 0, status)
    return faults


def two_clones_of_one_name(world) -> list[str]:
    """Unrelated repositories without an origin share no history, although both packages have one name."""
    first = Place(world, "first")
    first.package()
    first.commit("one")
    faults = wants("the run of the first", first.run("--commit", "HEAD")[0], 0)
    home = world.folder / "home"
    home.rename(world.folder / "kept")
    second = Place(world, "second")
    (world.folder / "kept").rename(home)
    second.package(settings="coverage: { ratchet: true }\n")
    second.commit("another")
    seen = json.loads(second.kanmon("history", "--json").stdout or "[]")
    return faults + wants("runs that the second sees", len(seen), 0)


# ---- Shards of one run


def shards(place: Place, *ways: tuple, between=lambda: None) -> tuple[int, dict]:
    """Runs two shards, each with its arguments, and merges them."""
    outs = []
    for number, way in enumerate(ways, 1):
        outs.append(place.world.folder / f"out{number}")
        place.run("--commit", "HEAD", "--shard", f"{number}/{len(ways)}", "--out", outs[-1], *way, cache=f"cache{number}")
        between()
    done = place.kanmon("merge", "--json", *outs, "--expect-shards", str(len(ways)))
    return done.returncode, json.loads(done.stdout)


def shards_that_are_one(world) -> list[str]:
    place = Place(world)
    place.package()
    place.commit()
    status, report = shards(place, (), ())
    return wants("the merged run", (status, codes(report)), (0, []))


def shards_with_other_settings(world) -> list[str]:
    place = Place(world)
    place.package()
    place.commit()
    status, report = shards(place, ("--retries", "0"), ("--retries", "2"))
    return wants("the merged run", (status, "shard-foreign" in codes(report)), (4, True))


def shards_with_another_base(world) -> list[str]:
    place = Place(world)
    place.package()
    place.commit("one")
    place.commit("two")
    place.commit("three")
    status, report = shards(place, ("--base", "HEAD~1"), ("--base", "HEAD~2"))
    return wants("the merged run", (status, "shard-foreign" in codes(report)), (4, True))


def shards_with_another_dependency(world) -> list[str]:
    library = Place(world, "Dep")
    library.write(**{
        "Package.swift": '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "Dep", products: [.library('
        'name: "Dep", targets: ["Dep"])], targets: [.target(name: "Dep")])\n',
        "Sources/Dep/Dep.swift": "public func dep() -> Int { 1 }\n"})
    library.commit()
    library.git("tag", "1.0.0")
    place = Place(world)
    place.package(more=', dependencies: [.product(name: "Dep", package: "Dep")]')
    text = (place.root / "Package.swift").read_text()
    place.write(**{
        "Package.swift": text.replace("targets: [", f'dependencies: [.package(url: "file://{library.root}", from: "1.0.0")], targets: [', 1),
        "Sources/Core/Core.swift": "import Dep\npublic func one() -> Int {\n    dep()\n}\n"})
    place.commit()

    def newer() -> None:
        library.write(**{"Sources/Dep/Dep.swift": "public func dep() -> Int { 1 + 0 }\n"})
        library.commit()
        library.git("tag", "--force", "1.1.0")

    status, report = shards(place, (), (), between=newer)
    return wants("the merged run", (status, "shard-foreign" in codes(report)), (4, True))


# ---- Code that comes in without a changed line


PATCH = "coverage:\n  modules: { default: 0 }\n  patch: { line: 90, min-lines: 1 }\n"


def comes_in(world, before, after, *words, more: str = "", settings: str = PATCH, knows_base: bool = False) -> list[str]:
    """Commits what `before` makes, then does `after`; the change has to miss its floor."""
    place = Place(world)
    place.package(settings=settings, more=more)
    before(place)
    place.commit("base")
    if knows_base:
        place.run("--commit", "HEAD")
    place.git("checkout", "--quiet", "-b", "topic")
    after(place)
    if "--commit" in words:
        place.commit("topic")
    status, report = place.run(*words)
    return wants("status and rules", (status, codes(report, "violations")), (2, ["patch"]))


def conditional(world) -> list[str]:
    faults = []
    for opening, closing in (("#if false", "#endif"), ("/*", "*/"), ('let text = #"""', '"""#')):
        faults += comes_in(
            world, lambda place: place.write(**{"Sources/Core/More.swift": f"{opening}\n{UNTESTED}{closing}\n"}),
            lambda place: place.write(**{"Sources/Core/More.swift": UNTESTED}), "--commit", "HEAD")
    return faults


def manifest_exclude(world) -> list[str]:
    def after(place: Place) -> None:
        place.write(**{"Package.swift": MANIFEST.format(name="Kit", more="")})
    return comes_in(
        world, lambda place: place.write(**{"Sources/Core/More.swift": UNTESTED}), after, "--commit", "HEAD",
        more=', exclude: ["More.swift"]')


def link(world) -> list[str]:
    def before(place: Place) -> None:
        place.write(**{"One/More.swift": "// nothing\n", "Two/More.swift": UNTESTED})
        (place.root / "Sources/Core/Linked").symlink_to("../../One")

    def after(place: Place) -> None:
        (place.root / "Sources/Core/Linked").unlink()
        (place.root / "Sources/Core/Linked").symlink_to("../../Two")
    return comes_in(world, before, after, "--commit", "HEAD")


def submodule(world) -> list[str]:
    other = Place(world, "other")
    other.write(**{"More.swift": "// nothing\n"})
    other.commit()

    def before(place: Place) -> None:
        place.git("submodule", "--quiet", "add", str(other.root), "Sources/Core/Sub")

    def after(place: Place) -> None:
        surroundings.write(place.root / "Sources/Core/Sub", {"More.swift": UNTESTED})
        for words in (["add", "--all"], ["commit", "--quiet", "--message", "more"]):
            subprocess.run(["git", "-C", place.root / "Sources/Core/Sub", *words], check=True, env=world.environment)
    return comes_in(world, before, after, "--commit", "HEAD")


def script(world) -> list[str]:
    settings = PATCH + 'run:\n  before: [[ sh, make.sh ]]\n  generated: [ "Sources/Core/Made.swift" ]\n'
    return comes_in(
        world, lambda place: place.write(**{"make.sh": "true\n"}),
        lambda place: place.write(**{"make.sh": f"cat > Sources/Core/Made.swift <<'E'\n{UNTESTED}E\n"}), "--commit", "HEAD",
        settings=settings)


def hidden(world) -> list[str]:
    faults = []
    for flag in ("--assume-unchanged", "--skip-worktree"):
        def after(place: Place) -> None:
            place.git("update-index", flag, "Sources/Core/More.swift")
            place.write(**{"Sources/Core/More.swift": UNTESTED})
        faults += comes_in(world, lambda place: place.write(**{"Sources/Core/More.swift": "// nothing\n"}), after)

    def excluded(place: Place) -> None:
        place.write(**{".git/info/exclude": "More.swift\n", "Sources/Core/More.swift": UNTESTED})
    return faults + comes_in(world, lambda place: None, excluded)


def ordinary(world) -> list[str]:
    """An edit of a tested line beside old code that no test executes is no miss, with and without a run of the base."""
    faults = []
    for knows_base in (False, True):
        place = Place(world)
        place.package(settings=PATCH)
        place.write(**{"Sources/Core/More.swift": f"#if true\n{UNTESTED}#endif\n", "Other/Linked.swift": UNTESTED.replace("two", "more")})
        (place.root / "Sources/Core/Linked").symlink_to("../../Other")
        place.commit("base")
        if knows_base:
            place.run("--commit", "HEAD")
        place.git("checkout", "--quiet", "-b", "topic")
        place.write(**{"Sources/Core/Core.swift": CODE.replace("    1", "    2 - 1")})
        place.commit("topic")
        status, report = place.run("--commit", "HEAD")
        faults += wants("status and rules", (status, codes(report, "violations")), (0, []))
    return faults


# ---- Reports that somebody reads alone


def colors(folder: pathlib.Path) -> dict:
    """Which reports of a folder have something red."""
    def tags(path: pathlib.Path) -> set:
        return {element.tag for element in xml.etree.ElementTree.parse(path).iter()}
    return {
        "junit": any(tags(path) & {"failure", "error"} for path in (folder / "junit").glob("*.xml")),
        "sonar-tests": bool(tags(folder / "sonar-tests.xml") & {"failure", "error"}),
        "code-quality": any(entry["severity"] == "critical" for entry in json.loads((folder / "code-quality.json").read_text())),
        "markdown": not (folder / "report.md").read_text().startswith("## ✓"),
        "cobertura": "<!--" in (folder / "cobertura.xml").read_text(),
        "sonar-coverage": "<!--" in (folder / "sonar-coverage.xml").read_text(),
        "lcov": bool(re.search("TN:kanmon_(blocked|undecided)", (folder / "lcov.info").read_text())),
    }


def reports(world) -> list[str]:
    faults = []
    for name, settings, status in (
        ("passed", "coverage:\n  modules: { default: 50 }\n", 0), ("blocked by a floor", "coverage:\n  modules: { default: 100 }\n", 2),
        ("undecided", "coverage:\n  modules: { default: 0 }\n  ratchet: true\n", 4),
    ):
        place = Place(world)
        place.package(settings=settings, **{"Sources/Core/More.swift": UNTESTED.replace("two", "more")} if status == 2 else {})
        place.commit("one")
        place.git("checkout", "--quiet", "-b", "topic")
        place.commit("two")
        out = world.folder / "reports"
        shutil.rmtree(out, ignore_errors=True)
        faults += wants(f"{name}: the status", place.run("--out", out)[0], status)
        found = colors(out)
        faults += wants(f"{name}: what is red", found, {key: status != 0 for key in found})
    return faults


SCENARIOS = {
    "two-packages-of-one-project": two_packages_of_one_project,
    "merged-shards-at-a-server": merged_shards_at_a_server,
    "two-clones-of-one-name": two_clones_of_one_name,
    "shards-that-are-one": shards_that_are_one,
    "shards-with-other-settings": shards_with_other_settings,
    "shards-with-another-base": shards_with_another_base,
    "shards-with-another-dependency": shards_with_another_dependency,
    "code-behind-a-condition": conditional,
    "code-that-the-manifest-left-out": manifest_exclude,
    "code-behind-a-link": link,
    "code-of-a-submodule": submodule,
    "code-that-a-script-wrote": script,
    "code-that-git-does-not-look-at": hidden,
    "code-that-was-there-before": ordinary,
    "reports-of-every-verdict": reports,
}
