"""Servers on loopback that have private packages: HTTPS behind a password, by git's own http-backend, SSH, and a registry with a login."""

import base64
import hashlib
import http.server
import io
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import zipfile

from surroundings import environment, write

USER, SECRET = "robot", "s3cret-4711-credential"
PACKAGE = {
    "Package.swift": """// swift-tools-version:5.9
import PackageDescription
let package = Package(name: "secret", products: [.library(name: "Secret", targets: ["Secret"])], targets: [.target(name: "Secret")])
""",
    "Sources/Secret/Secret.swift": "public func answer() -> Int { 42 }\n",
}


def git(folder, *arguments, **more):
    subprocess.run(["git", "-C", folder, "-c", "init.defaultBranch=main", *arguments], check=True, capture_output=True, **more)


class Guarded(http.server.BaseHTTPRequestHandler):
    """A server behind a password."""

    def is_let_in(self) -> bool:
        """Whether user and password are right; answers if they are not."""
        wanted = "Basic " + base64.b64encode(f"{USER}:{SECRET}".encode()).decode()
        if self.headers.get("Authorization") == wanted:
            return True
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="private"')
        self.send_header("Content-Length", "0")
        self.end_headers()
        return False

    def log_message(self, *arguments):
        pass


class Registry(Guarded):
    """As much of a package registry as SwiftPM asks for: the package `team.secret` at version 1.0.0."""

    def do_GET(self):
        if not self.is_let_in():
            return
        path = self.path.partition("?")[0]
        content, kind, status = b"{}", "application/json", 200
        if path == "/team/secret":
            content = json.dumps({"releases": {"1.0.0": {}}}).encode()
        elif path == "/team/secret/1.0.0":
            checksum = hashlib.sha256(archive()).hexdigest()
            content = json.dumps({
                "id": "team.secret", "version": "1.0.0", "metadata": {},
                "resources": [{"name": "source-archive", "type": "application/zip", "checksum": checksum}]}).encode()
        elif path == "/team/secret/1.0.0/Package.swift":
            content, kind = PACKAGE["Package.swift"].encode(), "text/x-swift"
        elif path == "/team/secret/1.0.0.zip":
            content, kind = archive(), "application/zip"
        else:
            status = 404
        self.send_response(status)
        for name, value in (("Content-Version", "1"), ("Content-Type", kind), ("Content-Length", str(len(content)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def archive() -> bytes:
    """The private package as a registry has it, the same bytes each time."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as entries:
        for path, text in PACKAGE.items():
            entries.writestr(zipfile.ZipInfo(f"secret-1.0.0/{path}"), text)
    return written.getvalue()


class Handler(Guarded):
    """git-http-backend behind a password."""

    root = ""

    def answer(self):
        if not self.is_let_in():
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        variables = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": self.root, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)), "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_USER": USER,
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=variables, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        self.send_response(status)
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = answer


class World:
    """All servers, and what is needed to reach them.

    They have the package `secret`, and a copy of each of some repositories under its name.
    """

    def __init__(self, folder: pathlib.Path, repositories: dict[str, pathlib.Path] | None = None):
        self.folder = folder
        source = folder / "source"
        write(source, PACKAGE)
        person = {**os.environ, **{key: value for key, value in environment(folder).items() if key.startswith("GIT_")}}
        git(source, "init", "--quiet")
        git(source, "add", "--all")
        git(source, "commit", "--quiet", "-m", "secret", env=person)
        git(source, "tag", "1.0.0")
        git(source, "clone", "--quiet", "--bare", str(source), str(folder / "served/secret.git"))
        for name, repository in (repositories or {}).items():
            git(folder, "clone", "--quiet", "--bare", str(repository), str(folder / "served" / f"{name}.git"))
        self.serve_https()
        self.serve_ssh()
        registry = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
        threading.Thread(target=registry.serve_forever, daemon=True).start()
        self.registry = f"localhost:{registry.server_address[1]}"

    def serve_https(self):
        self.certificate = self.folder / "certificate.pem"
        key = self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        Handler.root = str(self.folder / "served")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.https = f"https://localhost:{server.server_address[1]}/secret.git"
        self.host = self.https.rsplit("/", 1)[0]

    def serve_ssh(self):
        self.key = self.folder / "id"
        host_key = self.folder / "host"
        for path in (self.key, host_key):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        # Only root's needs it, and only root can make it.
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(parents=True, exist_ok=True)
        port = free_port()
        settings = self.folder / "sshd.conf"
        settings.write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {host_key}\nAuthorizedKeysFile {self.key}.pub\nStrictModes no\n"
            "PasswordAuthentication no\nPermitRootLogin yes\nUsePAM no\nPidFile none\nLogLevel QUIET\n")
        self.sshd = subprocess.Popen([shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", settings])
        self.wait_for_ssh(port)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
        self.ssh = f"ssh://{user}@127.0.0.1:{port}{self.folder}/served/secret.git"
        self.ssh_words = f"ssh -i {self.key} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes"

    def wait_for_ssh(self, port: int) -> None:
        """Waits until the SSH server takes connections."""
        for _ in range(100):
            if self.sshd.poll() is not None:
                sys.exit(f"the SSH server ended with {self.sshd.returncode}")
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        self.end()
        sys.exit("the SSH server takes no connections")

    def login(self) -> dict:
        """The variables by which git finds user and password, as Jenkins' binding gitUsernamePassword sets them."""
        ask = self.script("askpass", '#!/bin/sh\ncase "$1" in Username*) echo "$GIT_USERNAME" ;; *) echo "$GIT_PASSWORD" ;; esac\n')
        return {"GIT_ASKPASS": ask, "GIT_USERNAME": USER, "GIT_PASSWORD": SECRET, "GIT_TERMINAL_PROMPT": "false"}

    def end(self) -> None:
        """Ends the SSH server; the others end with the check."""
        self.sshd.terminate()
        self.sshd.wait()

    def script(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o700)
        return str(path)


def free_port() -> int:
    """A port that is free."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
