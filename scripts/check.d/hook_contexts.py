"""The ways in which commits are made and pushed: each function prepares one.

It answers with a `Context`: where git is to be called, with which words, and what else must not change meanwhile.
"""

import dataclasses
import os
import pathlib
import shutil
from collections.abc import Callable

from hook_world import World, file_digests

COUNTER = [0]


@dataclasses.dataclass
class Context:
    """A git command that calls a hook."""
    place: pathlib.Path
    words: list
    # Further repositories, each with the names of the folders in it that git itself may change.
    others: list = dataclasses.field(default_factory=list)
    # Further conditions after success; a commit is also compared with the one that git makes without hooks.
    after: Callable[[], list] | None = None


def change(world: World, repository: pathlib.Path, name="Sources/Core/Core.swift") -> None:
    """Adds a line to a source, so that the tree is new."""
    COUNTER[0] += 1
    path = repository / name
    path.write_text(path.read_text() + f"// change {COUNTER[0]}\n")


def commit(world: World, repository: pathlib.Path, message: str, *words) -> str:
    """Makes a commit without hooks."""
    change(world, repository)
    world.git(repository, "commit", "--quiet", "--no-verify", "--all", "--message", message, *words)
    return world.git(repository, "rev-parse", "HEAD")


def staged(world, repository):
    change(world, repository)
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--message", "staged"])


def all_changed(world, repository):
    change(world, repository)
    return Context(repository, ["commit", "--all", "--message", "commit -a"])


def one_path(world, repository):
    change(world, repository)
    change(world, repository, "Tests/CoreTests/CoreTests.swift")
    return Context(repository, ["commit", "--message", "commit PATH", "Sources/Core/Core.swift"])


def amend(world, repository):
    change(world, repository)
    return Context(repository, ["commit", "--all", "--amend", "--message", "amended"])


def partial(world, repository):
    """`git add -p` with the first of two hunks."""
    path = repository / "Sources/Core/Core.swift"
    path.write_text(path.read_text() + "// \n" * 20)
    world.git(repository, "commit", "--quiet", "--no-verify", "--all", "--message", "room")
    COUNTER[0] += 1
    path.write_text(f"// first {COUNTER[0]}\n" + path.read_text() + f"// second {COUNTER[0]}\n")
    world.run("git", "-C", repository, "add", "--patch", input=b"y\nn\n")
    return Context(repository, ["commit", "--message", "add -p"])


def conflict(world, repository, word):
    """Two branches that change the same line: a merge with a conflict, which is resolved."""
    start = world.git(repository, "rev-parse", "HEAD")
    path = repository / "Sources/Core/Core.swift"
    COUNTER[0] += 1
    name = f"{word}-{COUNTER[0]}"
    for branch, side in ((name, "theirs"), ("main", "ours")):
        world.git(repository, "checkout", "--quiet", *(["-b", branch, start] if branch == name else [branch]))
        path.write_text(f"// {side} {COUNTER[0]}\n" + path.read_text())
        world.git(repository, "commit", "--quiet", "--no-verify", "--all", "--message", side)
    world.run("git", "-C", repository, word, name, check=False)
    lines = [line for line in path.read_text().splitlines() if not line.startswith(("<<<<", "====", ">>>>"))]
    path.write_text("\n".join(lines) + "\n")
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--no-edit"])


def merge(world, repository):
    return conflict(world, repository, "merge")


def rebase(world, repository):
    return conflict(world, repository, "rebase")


def cherry_pick(world, repository):
    return conflict(world, repository, "cherry-pick")


def detached(world, repository):
    world.git(repository, "checkout", "--quiet", "--detach")
    return all_changed(world, repository)


def linked(world, repository):
    tree = repository.parent / f"linked of {repository.name}"
    if not tree.exists():
        world.git(repository, "worktree", "add", "--quiet", "-b", f"linked-{repository.name}", tree)
    change(world, tree)
    return Context(tree, ["commit", "--all", "--message", "in a linked work tree"], others=[(repository, [".git"])])


def first(world, repository):
    world.git(repository, "checkout", "--quiet", "--orphan", f"orphan-{COUNTER[0]}")
    change(world, repository)
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--message", "the first of its line"])


def names(world, repository):
    """Difficult names: options, quotes, line feeds, invalid UTF-8; links; files that archives leave out."""
    COUNTER[0] += 1
    listed = [b"-x", b"--help.txt", b"two words", b" leading", b"quo\"te", b"ap'ostrophe", b"back\\slash", b"new\nline",
              b"tab\t", b"\xff\xfe.bin", b"[a]*?", b"\xe2\x80\xaegnp.txt", b"e\xcc\x81", b"$(touch pwned)"]
    folder = os.path.join(os.fsencode(repository), b"Names")
    os.makedirs(folder, exist_ok=True)
    for name in listed:
        with open(os.path.join(folder, name), "w") as file:
            file.write(f"{COUNTER[0]}\n")
    for name, target in (("link", "Sources/Core"), ("dangling", "nowhere")):
        if not (repository / name).is_symlink():
            (repository / name).symlink_to(target)
    (repository / ".gitattributes").write_text("Names/* export-ignore\n*.crlf text eol=crlf\n")
    (repository / "lines.crlf").write_text(f"{COUNTER[0]}\r\n")
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--message", "names"])


def filters(world, repository):
    """Files that differ between repository and work tree: filters, git-lfs, `$Id$`, another encoding."""
    COUNTER[0] += 1
    world.git(repository, "checkout", "--quiet", "-B", "with-filters")
    world.git(repository, "config", "filter.rot.clean", "tr a-z n-za-m")
    world.git(repository, "config", "filter.rot.smudge", "tr n-za-m a-z")
    lines = ["*.rot filter=rot", "*.id ident", "*.u16 text working-tree-encoding=UTF-16LE-BOM"]
    if shutil.which("git-lfs"):
        lines.append("*.bin filter=lfs diff=lfs merge=lfs -text")
        for name, value in (("clean", "git-lfs clean -- %f"), ("smudge", "git-lfs smudge -- %f"),
                            ("process", "git-lfs filter-process"), ("required", "true")):
            world.git(repository, "config", f"filter.lfs.{name}", value)
    (repository / ".gitattributes").write_text("\n".join(lines) + "\n")
    (repository / "secret.rot").write_text(f"nothing to see {COUNTER[0]}\n")
    (repository / "version.id").write_text(f"$Id$ {COUNTER[0]}\n")
    (repository / "text.u16").write_bytes(f"words {COUNTER[0]}\n".encode("utf-16"))
    (repository / "large.bin").write_bytes(bytes(range(256)) * 64 + str(COUNTER[0]).encode())
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--message", "with filters"])


def submodule(world, repository):
    world.git(repository, "checkout", "--quiet", "-B", "with-submodule")
    if not (repository / "Vendor").exists():
        world.git(repository, "submodule", "--quiet", "add", "--force", world.folder / "dependency", "Vendor/Dep")
    change(world, repository)
    world.git(repository, "add", "--all")
    return Context(repository, ["commit", "--message", "with a submodule"])


def inside_submodule(world, repository):
    """A commit in a package that is itself a submodule: its `.git` is a file that points into the outer repository."""
    around = repository.parent / "around"
    inside = around / "Kit"
    if not around.exists():
        around.mkdir()
        world.git(around, "init", "--quiet")
        world.git(around, "submodule", "--quiet", "add", repository, "Kit")
        world.git(around, "commit", "--quiet", "--message", "around")
        world.kanmon("hook", "install", "--pre-commit", "--package-path", inside)
    assert (inside / ".git").is_file()
    change(world, inside)
    return Context(inside, ["commit", "--all", "--message", "inside a submodule"], others=[(around, ["Kit", "modules"])])


def pre_push(world, repository):
    """A push of several refs: an existing branch, a new branch, two tags, and a deletion."""
    remote = world.folder / "remote.git"
    world.git(repository, "push", "--quiet", "--no-verify", "--force", "origin", "main", "main:refs/heads/old")
    main = commit(world, repository, "pushed")
    world.git(repository, "checkout", "--quiet", "-B", "feature")
    feature = commit(world, repository, "pushed as well")
    number = COUNTER[0]
    world.git(repository, "tag", f"light-{number}", main)
    world.git(repository, "tag", "--annotate", "--message", "tag", f"heavy-{number}", feature)
    tag = world.git(repository, "rev-parse", f"heavy-{number}")
    expected = refs(world, remote) | {
        "refs/heads/main": main, f"refs/heads/new-{number}": feature, f"refs/tags/light-{number}": main,
        f"refs/tags/heavy-{number}": tag}
    del expected["refs/heads/old"]

    def after() -> list:
        wrong = [] if refs(world, remote) == expected else ["the refs of the remote are not those that were pushed"]
        judged = world.judged_trees()
        return wrong + [f"the tree of {name} was not judged" for name in (main, feature)
                        if world.git(repository, "rev-parse", name + "^{tree}") not in judged]

    return Context(
        repository,
        ["push", "origin", "main", f"feature:refs/heads/new-{number}", ":old", f"light-{number}", f"heavy-{number}"],
        others=[(remote, [])], after=after)


def received(world, repository, name, words, changing):
    """A push to a server that runs the tests before it accepts anything."""
    server = world.folder / f"{name}.git"
    home = world.folder / f"home of {name}"
    if not server.exists():
        world.run("git", "init", "--quiet", "--bare", server)
        world.git(repository, "push", "--quiet", "--no-verify", server, "main")
        world.kanmon("hook", "install", "--server", "run", *words, "--package-path", server, "--home", home)
    new = commit(world, repository, "received")
    expected = refs(world, server) | {"refs/heads/main": new}

    def after() -> list:
        return [] if refs(world, server) == expected else ["the refs of the server are not those that were pushed"]

    return Context(repository, ["push", "--no-verify", "--force", str(server), f"{new}:refs/heads/main"],
                   others=[(server, changing)], after=after)


def pre_receive(world, repository):
    return received(world, repository, "pre-receive", [], [])


def update(world, repository):
    # git moves the objects out of its quarantine before it calls this hook.
    return received(world, repository, "update", ["--update"], ["objects"])


def refs(world: World, repository: pathlib.Path) -> dict:
    lines = world.git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split() for line in lines)


def laid_out(world: World, context: Context) -> list:
    """How the shadow tree differs from what git itself checks out of the new commit."""
    checkout = world.folder / "checkout"
    world.git(context.place, "worktree", "add", "--quiet", "--detach", checkout)
    try:
        expected = file_digests(checkout)
    finally:
        world.git(context.place, "worktree", "remove", "--force", checkout)
    common = pathlib.Path(world.git(context.place, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    found = file_digests(next((common / "kanmon" / "tree").iterdir()))
    # SwiftPM writes the resolved versions; the files of a submodule belong to another repository.
    return [f"{name!r} is not laid out as git checks it out" for name in sorted(expected.keys() | found.keys())
            if found.get(name) != expected.get(name) and name != b"Package.resolved" and not name.startswith(b"Vendor/")]


COMMITS = [staged, all_changed, one_path, amend, partial, merge, rebase, cherry_pick, detached, linked, first, names,
           filters, submodule, inside_submodule]
PUSHES = [pre_push, pre_receive, update]
