"""What a commit is compared with, whatever git says."""

import shutil

from branches import Branches


def fast_forward(world) -> list:
    """A branch that merged main and is main now is not compared with its own weak commit."""
    story = Branches(world)
    story.git("checkout", "--quiet", "-b", "topic")
    story.weaken()
    story.git("checkout", "--quiet", "main")
    story.write("README.md", "Kit\n")
    story.commit("main goes on")
    story.run("main", 0)
    story.git("checkout", "--quiet", "topic")
    story.git("merge", "--quiet", "--no-edit", "main")
    story.git("branch", "--force", "main", "topic")
    story.git("checkout", "--quiet", "main")
    story.run("the fast-forward", 2)
    shutil.rmtree(world.folder / "home")
    story.run("the fast-forward without a history", 2)
    return story.faults


def several_merge_bases(world) -> list:
    """With several merge bases each rule holds as strictly as any of them has it."""
    story = Branches(world)
    story.floor(20)
    story.commit("lax")
    story.git("checkout", "--quiet", "-b", "topic")
    story.write("a.txt", "a\n")
    mine = story.commit("of the branch")
    story.git("checkout", "--quiet", "main")
    story.floor(85)
    theirs = story.commit("stricter main")
    story.git("checkout", "--quiet", "topic")
    story.git("merge", "--quiet", "--no-edit", "main")
    story.git("checkout", "--quiet", "main")
    story.git("merge", "--quiet", "--no-edit", mine)
    story.git("checkout", "--quiet", "topic")
    bases = set(story.git("merge-base", "--all", "main", "topic").split())
    story.expect("the merge bases are", bases, {mine, theirs})
    story.weaken()
    report = story.run("the weak commit", 2)
    base = report.get("base") or {}
    found = {base.get("commit")} | {other["commit"] for other in base.get("others") or []}
    story.expect("it is compared with", found, {mine, theirs})
    return story.faults


def cut_history(world) -> list:
    """A clone of few commits does not take an older merge base for the nearest one."""
    story = Branches(world)
    story.floor(10)
    story.commit("lax")
    story.git("branch", "side")
    story.floor(90)
    story.commit("strict again")
    for number in (2, 3, 4, 5):
        story.write(f"f{number}", "f\n")
        story.commit(f"p{number}")
        if number == 2:
            story.git("branch", "topic")
    story.git("checkout", "--quiet", "side")
    story.write("s", "s\n")
    story.commit("s1")
    story.git("checkout", "--quiet", "main")
    story.git("merge", "--quiet", "--no-edit", "side")
    story.git("checkout", "--quiet", "topic")
    story.weaken()
    cut = world.outside
    cut.mkdir()
    story.git("init", "--quiet", folder=cut)
    for branch, depth in (("main", 3), ("topic", 4)):
        story.git("fetch", "--quiet", "--depth", str(depth), f"file://{world.work}", f"{branch}:refs/remotes/origin/{branch}",
                  folder=cut)
    story.git("checkout", "--quiet", "-b", "topic", "origin/topic", folder=cut)
    story.run("the whole clone", 2)
    for more in ((), ("--base", "origin/main")):
        report = story.run("the clone that is cut", 4, "--commit", "HEAD", "--fresh", *more, folder=cut)
        story.expect("it names", [gap["code"] for gap in report.get("gaps", [])], ["base-unknown"])
    return story.faults


def local_main(world) -> list:
    """A local main that contains the change is not the remote's, and neither is it where the remote's was not fetched."""
    story = Branches(world)
    origin = f"file://{world.work}"
    story.git("branch", "topic")
    clone = world.outside
    clone.mkdir()
    story.git("init", "--quiet", "--initial-branch", "main", folder=clone)
    story.git("fetch", "--quiet", origin, "topic:refs/remotes/origin/topic", folder=clone)
    story.git("checkout", "--quiet", "-B", "main", "origin/topic", folder=clone)
    (clone / ".kanmon.yml").write_text("version: 1\nproject: kit\ncoverage:\n  modules: { default: 10 }\n")
    story.git("commit", "--quiet", "--all", "--message", "weak", folder=clone)
    story.git("commit", "--quiet", "--allow-empty", "--message", "on top", folder=clone)
    report = story.run("a local main", 4, folder=clone)
    story.expect("it names", [gap["code"] for gap in report.get("gaps", [])], ["base-unknown"])
    return story.faults


def ahead_of_blocked(world) -> list:
    """A local main on top of a state of the remote's that was blocked is not compared with that state."""
    story = Branches(world)
    story.run("the strict commit", 0)
    weak = story.weaken()
    story.run("the weak commit", 2)
    story.git("update-ref", "refs/remotes/origin/main", weak)
    top = story.commit("on top")
    story.run("a local main that is ahead", 2)
    story.audit({weak: "failed", top: "failed"})
    story.badge("✕ blocked")
    return story.faults


def grafts(world) -> list:
    """A graft and a replaced object change no base."""
    story = Branches(world)
    strict = story.git("rev-parse", "HEAD")
    story.git("checkout", "--quiet", "-b", "topic")
    weak = story.weaken()
    story.commit("on top")
    story.git("checkout", "--quiet", "main")
    story.write("README.md", "Kit\n")
    story.commit("main goes on")
    story.git("checkout", "--quiet", "topic")
    main = story.git("rev-parse", "main")
    (world.work / ".git/info").mkdir(exist_ok=True)
    # As if main came from the weak commit.
    (world.work / ".git/info/grafts").write_text(f"{main} {weak}\n")
    report = story.run("a graft", 2)
    story.expect("the base is", (report.get("base") or {}).get("commit"), strict)
    (world.work / ".git/info/grafts").unlink()
    story.git("replace", "--graft", main, weak)
    report = story.run("a replaced commit", 2, "--commit", "HEAD", "--fresh")
    story.expect("the base is", (report.get("base") or {}).get("commit"), strict)
    return story.faults
