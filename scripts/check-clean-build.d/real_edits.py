"""Edits of sources of real packages at random places."""

import pathlib
import random
import re
import subprocess

PACKAGES = ["swift-argument-parser", "swift-collections", "swift-log", "Yams", "swift-numerics"]
SETTINGS = "coverage:\n  modules:\n    default: 0\n"

# What is done to a source: a word, a pattern that one of its places must match, and what stands there then.
EDITS = [
    ("a number in a body", r"(?m)^(\s+.*?\breturn .*?)\b(\d+)\b", lambda m: f"{m[1]}({m[2]} &+ 0)"),
    ("a private property", r"(?m)^((?:public |internal |private |fileprivate )?(?:final class|class|struct) \w+[^{\n]*\{)$",
     lambda m: f"{m[1]}\n  private var kanmonAdded: Int = 7"),
    ("a public function", r"\Z", lambda m: "\npublic func kanmonAdded{number}() -> Int {{ {number} }}\n"),
    ("a comment", r"\A", lambda m: "// A comment.\n"),
    ("an inlinable body", r"(@inlinable[^{]*?func [^{]*\{)", lambda m: f"{m[1]}\n    _ = 42\n"),
    ("a default argument", r"(\w+: Bool = )(true|false)", lambda m: m[1] + ("false" if m[2] == "true" else "true")),
    ("a comparison", r" (==|<) ", lambda m: " != " if m[1] == "==" else " <= "),
    ("a constant", r"(static let \w+(?:: Int)? = )(\d+)\b", lambda m: f"{m[1]}{int(m[2]) + 1}"),
    ("a value of a header", r"(?m)^(#define \w+ )(\d+)$", lambda m: f"{m[1]}{int(m[2]) + 1}"),
]


def edit(root: pathlib.Path, source: random.Random) -> str:
    """Makes one edit; what it was."""
    files = sorted(path for folder in ("Sources", "Tests") for ending in ("*.swift", "*.h", "*.c")
                   for path in (root / folder).rglob(ending) if path.is_file() and not path.is_symlink())
    while True:
        words, pattern, change = source.choice(EDITS)
        path = source.choice(files)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if words in ("a public function", "an inlinable body") and path.suffix != ".swift":
            continue
        places = list(re.finditer(pattern, text))
        if not places:
            continue
        place = source.choice(places)
        new = change(place).replace("{number}", str(source.randrange(10**9))).replace("{{", "{").replace("}}", "}") \
            if words == "a public function" else change(place)
        path.write_text(text[:place.start()] + new + text[place.end():], encoding="utf-8", errors="surrogateescape")
        return f"{words} in {path.relative_to(root)}"


def undo(world) -> None:
    """Takes back an edit that was committed, as git does: by another commit."""
    subprocess.run(["git", "-C", world.repository, "revert", "--no-edit", "HEAD"], check=True, env=world.environment,
                   stdout=subprocess.DEVNULL)
