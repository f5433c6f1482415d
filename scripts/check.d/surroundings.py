"""The surroundings of a program under test: a home folder, an author of commits, files."""

import contextlib
import os
import pathlib
import tempfile

PERSON = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))}


def environment(folder: pathlib.Path, **more) -> dict:
    """The environment of a user whose home and caches are in a folder, with an author of commits and without settings of git.

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
    """Writes files into a folder, by path; `None` instead of a text removes the file."""
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


@contextlib.contextmanager
def work_folder(kept: pathlib.Path | None = None):
    """A work folder, without links in its path: a temporary one, or the one to keep."""
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    # Tests of a package may leave files that have no permission to be deleted.
    with tempfile.TemporaryDirectory(prefix="kanmon-check-", ignore_cleanup_errors=True) as folder:
        yield pathlib.Path(folder).resolve()
