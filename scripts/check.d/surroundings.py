"""What is around a program that is checked: a user of its own, an author of commits, files."""

import contextlib
import os
import pathlib
import tempfile

PERSON = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))}


def environment(folder: pathlib.Path, **more) -> dict:
    """The variables of a user whose home and caches lie in a folder, with an author of commits and no settings of git.

    Of whoever runs the check there is only the way to programs, and where a Kanmon built with coverage leaves its profile.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LLVM_PROFILE_FILE") if name in os.environ}
    user = folder / "user"
    user.mkdir(parents=True, exist_ok=True)
    return kept | PERSON | {
        "HOME": str(user), "XDG_CACHE_HOME": str(folder / "cache"), "LANG": "C.UTF-8", "TERM": "dumb",
        "GIT_CONFIG_NOSYSTEM": "1",
    } | {name: str(value) for name, value in more.items()}


def write(folder: pathlib.Path, files: dict) -> None:
    """Writes files by their paths in a folder; `None` in place of a text takes one away."""
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


@contextlib.contextmanager
def work_folder(kept: pathlib.Path | None = None):
    """A folder to work in, without links in its path: one that is thrown away in the end, or the one that is to be kept."""
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    # What the tests of a package leave may lack the right to be deleted.
    with tempfile.TemporaryDirectory(prefix="kanmon-check-", ignore_cleanup_errors=True) as folder:
        yield pathlib.Path(folder).resolve()
