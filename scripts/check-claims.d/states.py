"""Which commit is the state of a branch, and what is said of it."""

import datetime
import subprocess

from branches import TEST, Branches


def blocked_weakening_stays(world) -> list:
    """Commits on top of a blocked one are compared with what was before it; nothing that is said of them changes its verdict."""
    story = Branches(world)
    strict = story.git("rev-parse", "HEAD")
    story.run("the strict commit", 0)
    weak = story.weaken()
    story.run("the weak commit", 2)
    tops = []
    for number in range(3):
        tops.append(story.commit(f"empty {number}"))
        story.run(f"the commit {number} on top", 2)
    story.audit({strict: "passed", weak: "failed"} | {top: "failed" for top in tops})
    story.run("the weak commit again", 2, "--commit", weak)
    story.badge("✕ blocked")
    until = datetime.date.today() + datetime.timedelta(days=14)
    waived = story.commit(f"waived\n\nKanmon-Waiver: default-floor-lowered until={until} the other code is tried by hand")
    report = story.run("the waived commit", 0)
    if report.get("violations"):
        story.faults.append(f"violations: {report['violations']}")
    story.audit({weak: "failed", tops[0]: "failed", waived: "passed"})
    story.badge("✓ passed")
    after = story.commit("after the waiver")
    story.run("the commit after it", 0, "--commit", after)
    return story.faults


def blocked_weakening_undone(world) -> list:
    """A commit that undoes a weakening has a tree that is known; it is the tip, and passes."""
    story = Branches(world)
    story.run("the strict commit", 0)
    weak = story.weaken()
    story.run("the weak commit", 2)
    story.badge("✕ blocked")
    story.git("revert", "--no-edit", weak)
    done = story.kanmon("run", "--commit", "HEAD")
    story.expect("the reverting commit ends with", done.returncode, 0)
    if "is known from run" not in done.stderr:
        story.faults.append("the tree of the reverting commit is not known")
    story.badge("✓ passed")
    story.audit({weak: "failed", story.git("rev-parse", "HEAD"): "passed"})
    return story.faults


def older_commit_again(world) -> list:
    """A run of an older commit of main, whether it was tested before or not, does not become its state."""
    story = Branches(world)
    first = story.git("rev-parse", "HEAD")
    second = story.commit("second")
    story.write("Tests/CoreTests/CoreTests.swift", TEST.replace("== 1", "== 2"))
    story.commit("broken")
    story.run("the broken commit", 1, "--commit", "HEAD", "--branch", "main")
    for older in (first, second):
        story.git("checkout", "--quiet", older)
        story.run("an older commit", 0, "--commit", "HEAD", "--branch", "main", "--fresh")
        story.badge("✕ blocked")
    return story.faults


def commit_of_another_branch(world) -> list:
    """A commit that somebody says is of main becomes no state of it before main has it; it passes all the same."""
    story = Branches(world)
    story.run("the strict commit", 0)
    story.write("Tests/CoreTests/CoreTests.swift", TEST.replace("== 1", "== 2"))
    story.commit("broken")
    story.run("the broken commit", 1)
    story.git("checkout", "--quiet", "-b", "topic")
    story.write("Tests/CoreTests/CoreTests.swift", TEST + "// Mended.\n")
    mended = story.commit("mended")
    for words in (("--commit", "HEAD", "--branch", "main"), ("--branch", "main")):
        story.run("the commit of another branch", 0, *words)
        story.badge("✕ blocked")
    story.audit({mended: "passed"})
    story.git("checkout", "--quiet", "main")
    story.git("merge", "--quiet", "--ff-only", "topic")
    story.run("the same commit on main", 0, "--commit", "HEAD", "--branch", "main", "--fresh")
    story.badge("✓ passed")
    return story.faults


def package_by_its_folder(world) -> list:
    """A package that another one depends on by a path has the name of its folder here as in a clone, and no other."""
    story = Branches(world)
    inner = world.work / "Inner"
    story.write("Package.swift", (world.work / "Package.swift").read_text().replace(
        "targets:", 'products: [.library(name: "Core", targets: ["Core"])], targets:', 1))
    for folder, status in ((world.work.name, 0), ("tree", 3)):
        story.write("Inner/Package.swift", f"""// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Inner", dependencies: [.package(path: "..")], targets: [
    .target(name: "In"), .testTarget(name: "InnerTests", dependencies: ["In", .product(name: "Core", package: "{folder}")])])
""")
        story.write("Inner/.kanmon.yml", "version: 1\nproject: inner\n")
        story.write("Inner/Sources/In/In.swift", "public func two() -> Int { 2 }\n")
        story.write("Inner/Tests/InnerTests/InnerTests.swift", TEST + "import In\n@Test func twos() { #expect(two() == 2) }\n")
        story.commit(f"a package that depends on {folder}")
        done = story.kanmon("run", "--commit", "HEAD", folder=inner)
        story.expect(f"the run of a package that depends on {folder} ends with", done.returncode, status)
    return story.faults


def attempts(world) -> list:
    """Staged files that a hook refuses, and a push that is not let in, leave the state of main alone."""
    story = Branches(world)
    story.run("the strict commit", 0)
    story.write("Tests/CoreTests/CoreTests.swift", TEST.replace("== 1", "== 2"))
    story.git("add", "--all")
    story.run("the staged files", 1, "--staged")
    story.badge("✓ passed")
    story.git("reset", "--quiet", "--hard")
    bare = world.server
    subprocess.run(["git", "clone", "--quiet", "--bare", world.work, bare], check=True, env=world.environment)
    subprocess.run(
        [world.binary, "hook", "install", "--server", "run", "--package-path", bare, "--home", world.folder / "home"],
        env=world.environment, check=True, stdout=subprocess.DEVNULL)
    story.weaken()
    push = subprocess.run(
        ["git", "-C", world.work, "push", "--no-verify", bare, "HEAD:refs/heads/main"], env=world.environment,
        capture_output=True, text=True)
    story.expect("the push is let in", push.returncode == 0, False)
    story.badge("✓ passed")
    return story.faults


def symbolic_ref(world) -> list:
    """A push to a symbolic ref of a server moves what it points at, which is protected."""
    story = Branches(world)
    bare = world.server
    subprocess.run(["git", "clone", "--quiet", "--bare", world.work, bare], check=True, env=world.environment)
    subprocess.run(
        [world.binary, "hook", "install", "--server", "verify", "--package-path", bare, "--home", world.folder / "home"],
        env=world.environment, check=True, stdout=subprocess.DEVNULL)
    story.run("the strict commit", 0)
    story.git("symbolic-ref", "refs/heads/alias", "refs/heads/main", folder=bare)
    weak = story.weaken()
    story.run("the weak commit", 2)
    push = subprocess.run(
        ["git", "-C", world.work, "push", "--no-verify", bare, "HEAD:refs/heads/alias"], env=world.environment,
        capture_output=True, text=True)
    story.expect("the push is let in", push.returncode == 0, False)
    story.expect("main is the weak commit", story.git("rev-parse", "main", folder=bare) == weak, False)
    return story.faults


READS = """// swift-tools-version: 6.0
import Foundation
import PackageDescription
let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tests.txt")
let names = ((try? String(contentsOf: list, encoding: .utf8)) ?? "").split(separator: "\\n").map(String.init)
let package = Package(name: "Kit", targets: [.target(name: "Core")] + names.map { .testTarget(name: $0, dependencies: ["Core"]) })
"""


def target_of_a_list(world) -> list:
    """A test target that goes because the manifest reads its name no more is gone, whether a run of the base is stored or not."""
    story = Branches(world)
    story.write("Package.swift", READS)
    story.write("tests.txt", "CoreTests\nMoreTests\n")
    story.write("Tests/MoreTests/MoreTests.swift", "import Testing\n@Test func more() {}\n")
    story.commit("two test targets")
    story.git("checkout", "--quiet", "-b", "topic")
    story.write("tests.txt", "CoreTests\n")
    story.write("Package.swift", READS + "// Another text.\n")
    story.commit("one test target")
    report = story.run("the commit without the target", 2, "--commit", "HEAD")
    codes = [violation.get("code") for violation in report.get("violations", [])]
    if "test-target-removed" not in codes:
        story.faults.append(f"it names {codes}")
    return story.faults


def odd_branch_name(world) -> list:
    """A branch whose name is no text is protected by the pattern that its name begins with."""
    story = Branches(world)
    bare = world.server
    subprocess.run(["git", "clone", "--quiet", "--bare", world.work, bare], check=True, env=world.environment)
    subprocess.run(
        [world.binary, "hook", "install", "--server", "verify", "--protect", "release/*", "--package-path", bare, "--home",
         world.folder / "home"], env=world.environment, check=True, stdout=subprocess.DEVNULL)
    story.run("the strict commit", 0)
    story.weaken()
    for name in (b"release/1", b"release/\xff"):
        push = subprocess.run(
            [b"git", b"-C", bytes(world.work), b"push", b"--no-verify", bytes(bare), b"HEAD:refs/heads/" + name],
            env=world.environment, capture_output=True)
        story.expect(f"the push to {name} is let in", push.returncode == 0, False)
    return story.faults
