"""Plays machines that deliver runs to Kanmon's server: speaks the protocol of docs/team.md itself."""

import contextlib
import hashlib
import http.client
import json
import pathlib
import re
import subprocess
import time


class Run:
    """A run as a machine holds it: one that a run directory has, under an id of its own, with files that go on differently."""

    def __init__(self, folder: pathlib.Path, number: int, appended: dict, project: str = ""):
        self.manifest = json.loads((folder / "manifest.json").read_bytes())
        self.manifest["project"] = project or self.manifest["project"]
        self.manifest["seed"] = f"{self.manifest['runID']} {number}"
        self.manifest["runID"] = seeded(self.manifest["runID"], self.manifest["project"], self.manifest["seed"], number)
        self.files = {artifact["path"]: (folder / artifact["path"]).read_bytes() for artifact in self.manifest["artifacts"]}
        self.files |= {f"sources/{source['sha256']}": (folder / "sources" / source["sha256"]).read_bytes()
                       for source in self.manifest["sources"]}
        for path, text in appended.items():
            self.files[path] += text.encode()
        for artifact in self.manifest["artifacts"]:
            content = self.files[artifact["path"]]
            artifact |= {"bytes": len(content), "sha256": digest(content)}
        self.seal()

    @property
    def id(self) -> str:
        return self.manifest["runID"]

    def seal(self) -> None:
        """Writes the manifest, and the list of files that is offered; again after a change of the manifest."""
        self.files["manifest.json"] = json.dumps(self.manifest).encode()
        self.blobs = {digest(content): content for content in self.files.values()}
        self.list = json.dumps({"schemaVersion": 1, "project": self.manifest["project"], "files": [
            {"path": path, "sha256": digest(content), "size": len(content)} for path, content in self.files.items()]}).encode()

    def rename(self, run: str) -> None:
        """Takes the id of another run."""
        self.manifest["runID"] = run
        self.seal()

    def replace(self, path: str, content: bytes) -> None:
        """Replaces one of the artifacts."""
        self.files[path] = content
        for artifact in self.manifest["artifacts"]:
            if artifact["path"] == path:
                artifact |= {"bytes": len(content), "sha256": digest(content)}
        self.seal()

    def write(self, folder: pathlib.Path) -> pathlib.Path:
        for path, content in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        return folder


def seeded(run: str, project: str, seed: str, later: int = 0) -> str:
    """The id of a run of a project that was made of a seed, some milliseconds after another one (a day later it is the same again)."""
    random = hashlib.sha256(f"{digest(seed.encode())} {project}".encode()).digest()
    low = int.from_bytes(random[8:16], "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    moment = f"{int(run[:8] + run[9:13], 16) + later % 86_400_000:012x}"
    return f"{moment[:8]}-{moment[8:]}-7{int.from_bytes(random[:8], 'big') & 0xFFF:03x}-{low >> 48:04x}-{low & 0xFFFF_FFFF_FFFF:012x}"


def progress(run: str, seed: str, project: str) -> bytes:
    """The progress of a run that has just begun, as its machine tells of it."""
    return json.dumps({
        "runID": run, "seed": seed, "project": project, "startedAt": time.time() - 5, "folder": "", "isPartial": False,
        "progress": {"built": 0, "toBuild": 0, "discovered": 0, "ended": 0, "failed": 0, "failures": []}}).encode()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def new_token(kanmon: str, name: str, scope: str, project: str = "*", **options) -> str:
    """The secret of a new token; the environment of the options says of which server."""
    made = subprocess.run([kanmon, "token", "create", name, "--scope", scope, "--project", project], text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    secret = re.search(r"\bkanmon_\w+", made.stdout)
    if made.returncode or not secret:
        raise SystemExit(f"no token {name}:\n{made.stdout}")
    return secret.group(0)


class Link:
    """A connection to the server that is kept while it lasts."""

    def __init__(self, port: int, token: str = "", more: dict | None = None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = ({"Authorization": f"Bearer {token}"} if token else {}) | (more or {})

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple:
        """The status and the answer; raises `OSError` or `HTTPException` when nobody answers."""
        answer, content = self.exchange(method, path, body)
        return answer.status, content

    def exchange(self, method: str, path: str, body: bytes | None = None) -> tuple:
        """The same with the whole head of the answer; after an error the next call connects again."""
        try:
            self.connection.request(method, path, body, self.headers)
            answer = self.connection.getresponse()
            return answer, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def deliver(self, run: Run) -> int:
        """Offers a run, sends what is missing, and offers it again: the last status."""
        for _ in range(4):
            status, text = self.ask("PUT", f"/api/v1/runs/{run.id}", run.list)
            if status != 202:
                return status
            for sha256 in json.loads(text)["missing"]:
                sent, _ = self.ask("PUT", f"/api/v1/blobs/{sha256}", run.blobs[sha256])
                if sent not in (200, 201):
                    return sent
        return 202


def until_answered(port: int, run: Run, token: str) -> int:
    """Delivers like a machine that tries again until it has an answer."""
    link = Link(port, token)
    with contextlib.closing(link.connection):
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                status = link.deliver(run)
                if status in (200, 201):
                    return status
                if status not in (202, 429, 503, 507):
                    raise SystemExit(f"the server answers {status} for {run.id}")
            time.sleep(0.02)
