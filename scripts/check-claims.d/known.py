"""Which run answers for a tree, and by which name."""

import urllib.error
import urllib.request

import server
from branches import Branches


def variables(world) -> list:
    """What the tests see of the environment is a part of what a tree is known by."""
    story = Branches(world)
    story.write(
        "Tests/CoreTests/CoreTests.swift",
        "import Foundation\nimport Core\nimport Testing\n@Test func ones() { #expect(one() == 1) }\n"
        '@Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] == nil)) func broken() {\n'
        '    #expect(ProcessInfo.processInfo.environment["TZ"] == "Asia/Tokyo")\n}\n')
    story.commit("a test that CI skips")
    story.run("CI", 0, "--commit", "HEAD", CI="1")
    done = story.kanmon("run", "--commit", "HEAD", CI="1")
    story.expect("CI again ends with", done.returncode, 0)
    for words in ("is known from run", "1 skipped"):
        if words not in done.stdout + done.stderr:
            story.faults.append(f"the known tree does not say '{words}': {done.stdout} {done.stderr}")
    story.run("a machine that is no CI", 1)
    story.run("a machine in Tokyo", 0, "--commit", "HEAD", TZ="Asia/Tokyo")
    for name, value in (("LANG", "ja_JP.UTF-8"), ("LC_TIME", "ja_JP.UTF-8"), ("LD_LIBRARY_PATH", "/nowhere"), ("HOME", world.folder)):
        done = story.kanmon("run", "--commit", "HEAD", CI="1", **{name: str(value)})
        if "is known from run" in done.stderr:
            story.faults.append(f"a run with another {name} answers")
    return story.faults


def undecided_again(world) -> list:
    """Where the newest run of a tree is not sure, no older one answers for it."""
    story = Branches(world)
    settings = (world.work / ".kanmon.yml").read_text()
    story.write(".kanmon.yml", settings + f'run:\n  before: [[ sh, -c, "test ! -e {world.folder}/closed" ]]\n')
    story.git("add", "--all")
    story.git("commit", "--quiet", "--amend", "--message", "a script that needs something")
    story.run("the commit", 0)
    (world.folder / "closed").touch()
    second = story.run("the commit without it", 4, "--commit", "HEAD", "--fresh")
    (world.folder / "closed").unlink()
    if (second.get("verdict") or {}).get("decision") == "undecided":
        story.badge("? undecided")
        story.audit({story.git("rev-parse", "HEAD"): "undecided"})
    done = story.kanmon("run", "--commit", "HEAD")
    if "is known from run" in done.stderr:
        story.faults.append("an older run answers for the tree")
    return story.faults


def ambiguous_names(world) -> list:
    """The beginning of several commits, or of several runs, is a question with the candidates; what nobody has is not there."""
    story = Branches(world)
    tree, parent = story.git("rev-parse", "HEAD^{tree}"), story.git("rev-parse", "HEAD")
    seen: dict[str, str] = {}
    pair = None
    while not pair:
        made = story.git("commit-tree", tree, "-p", parent, "-m", str(len(seen)))
        if made[:4] in seen:
            pair = (seen[made[:4]], made)
        seen[made[:4]] = made
    start = pair[0][:4]
    done = story.kanmon("run", "--commit", start)
    story.expect("an ambiguous commit ends with", done.returncode, 64)
    for name in pair:
        if name not in done.stderr:
            story.faults.append(f"it does not name {name}: {done.stderr}")
    for name in pair:
        story.run(name[:8], 0, "--commit", name)
    done = story.kanmon("report", start)
    story.expect("the report of an ambiguous commit ends with", done.returncode, 64)
    for name in pair:
        if name[:9] not in done.stderr:
            story.faults.append(f"the report does not name {name[:9]}: {done.stderr}")
    done = story.kanmon("report", "ffff00001111")
    story.expect("the report of an unknown commit ends with", done.returncode, 64)
    if "no stored run matches" not in done.stderr:
        story.faults.append(done.stderr)
    with server.serving(
            world.binary, "serve", "--home", str(world.folder / "home"), env=world.environment) as serving:
        for path, status in ((f"/commit?id={start}", 300), (f"/commit.json?id={start}", 300), ("/commit?id=ffff00001111", 404)):
            try:
                with urllib.request.urlopen(serving.address + path) as answer:
                    found, text = answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                found, text = error.code, error.read().decode()
            story.expect(path, found, status)
            if status == 300 and not all(name in text for name in pair):
                story.faults.append(f"{path} does not name both: {text[-500:]}")
    return story.faults
