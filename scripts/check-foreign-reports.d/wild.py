"""Real reports of public projects: which there are, how they are fetched, and what is known of odd ones.

`sources.tsv` names every file: its format, repository, commit, path, SHA-256 and the licence of the repository. The files
themselves are not kept here. `explained.tsv` says of a refused file why it is no report, and of a difference who is right.
"""

import collections
import hashlib
import os
import pathlib
import subprocess
import tempfile
import typing

HERE = pathlib.Path(__file__).resolve().parent
HOST = "https://github.com/"


class Source(typing.NamedTuple):
    format: str
    repository: str
    commit: str
    path: str
    sha256: str
    licence: str

    def place(self, folder: pathlib.Path) -> pathlib.Path:
        return folder / self.format / self.repository.replace("/", "+") / self.path

    def fault(self, folder: pathlib.Path):
        """Why the file in a folder is not the recorded one; `None` if it is."""
        try:
            data = self.place(folder).read_bytes()
        except OSError as error:
            return error.strerror
        return None if hashlib.sha256(data).hexdigest() == self.sha256 else "its bytes are not the recorded ones"


def rows(name: str) -> list:
    """The fields of each line of a table, without its head."""
    lines = (HERE / name).read_text().splitlines()[1:]
    return [line.split("\t") for line in lines if line]


def sources() -> list:
    return [Source(*fields) for fields in rows("sources.tsv")]


def explained() -> dict:
    """The reason why a file is refused, or counted otherwise, by its SHA-256."""
    return {digest: reason for digest, reason in rows("explained.tsv")}


def fetch(wanted: list, folder: pathlib.Path) -> dict:
    """Brings the files that are not there yet into a folder, with one shallow fetch for a commit.

    Returns, by file, why it is still not there.
    """
    by_commit = collections.defaultdict(list)
    for source in wanted:
        if source.fault(folder):
            by_commit[source.repository, source.commit].append(source)
    missing = {}
    for (repository, commit), files in sorted(by_commit.items()):
        print(f"fetching {len(files)} files of {repository}", flush=True)
        with tempfile.TemporaryDirectory(prefix="kanmon-check-", ignore_cleanup_errors=True) as store:
            reason = fetched(store, repository, commit)
            for source in files:
                missing[source] = reason or written(store, source, folder)
    return {source: reason for source, reason in missing.items() if reason}


def git(store: str, *arguments) -> subprocess.CompletedProcess:
    # A connection that stands still is given up; and nothing tidies the store behind our back, which is about to be removed.
    settings = ["http.lowSpeedLimit=1000", "http.lowSpeedTime=60", "gc.auto=0", "maintenance.auto=false"]
    options = [word for setting in settings for word in ("-c", setting)]
    return subprocess.run(["git", "-C", store, *options, *arguments], capture_output=True, stdin=subprocess.DEVNULL,
                          env=os.environ | {"GIT_TERMINAL_PROMPT": "0"})


def fetched(store: str, repository: str, commit: str):
    """Fetches a commit without its history; what went wrong, or `None`."""
    git(store, "init", "--quiet", "--bare")
    # None of the files is as large as that.
    done = git(store, "fetch", "--quiet", "--depth=1", "--filter=blob:limit=4m", HOST + repository, commit)
    if done.returncode == 0:
        return None
    lines = done.stderr.decode(errors="replace").split("\n")
    told = [line.strip() for line in lines if line.startswith(("fatal:", "error:"))] or [f"git ended with {done.returncode}"]
    return f"{HOST}{repository} could not be fetched: {told[0]}"


def written(store: str, source: Source, folder: pathlib.Path):
    """Writes a file of a fetched commit; what went wrong, or `None`."""
    done = git(store, "show", f"{source.commit}:{source.path}")
    if done.returncode:
        return f"{source.commit} does not have it"
    place = source.place(folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(done.stdout)
    return source.fault(folder)
