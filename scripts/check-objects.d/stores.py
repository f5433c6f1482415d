"""Object stores of others that speak S3, for as long as they are needed."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import typing

import tools

BUCKET = "kanmon-check"


class Store(typing.NamedTuple):
    endpoint: str
    key: str
    secret: str
    region: str = "us-east-1"

    @property
    def environment(self) -> dict:
        return {"AWS_ENDPOINT_URL": self.endpoint, "AWS_ACCESS_KEY_ID": self.key, "AWS_SECRET_ACCESS_KEY": self.secret,
                "AWS_REGION": self.region}

    def client(self):
        import boto3
        from botocore.config import Config

        return boto3.client("s3", endpoint_url=self.endpoint, aws_access_key_id=self.key, aws_secret_access_key=self.secret,
                            region_name=self.region,
                            config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"))


def free_ports(count: int) -> list:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in sockets]
    for server in sockets:
        server.close()
    return ports


def wait_for(ports: list, processes: list, log: pathlib.Path) -> None:
    end = time.monotonic() + 60
    for port in ports:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if time.monotonic() > end or any(process.poll() is not None for process in processes):
                raise SystemExit(f"the object store does not come up; see {log}")
            time.sleep(0.2)


@contextlib.contextmanager
def running(commands: list, ports: list, log: pathlib.Path, environment: dict) -> typing.Iterator[None]:
    """Starts servers, and ends them afterwards."""
    processes = []
    try:
        with open(log, "wb") as words:
            for command in commands:
                processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=words, stderr=words,
                                                  env=os.environ | environment, start_new_session=True))
        wait_for(ports, processes, log)
        yield
    finally:
        # Each has a session of its own, with its workers.
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextlib.contextmanager
def moto(folder: pathlib.Path) -> typing.Iterator[Store]:
    """An emulator in one process."""
    (port,) = free_ports(1)
    with running([["moto_server", "-H", "127.0.0.1", "-p", str(port)]], [port], folder / "moto.log", {}):
        yield Store(f"http://127.0.0.1:{port}", "key", "secret")


KINDS = ("account", "container", "object")
PIPELINE = "catch_errors proxy-logging cache listing_formats s3api tempauth copy slo proxy-logging proxy-server"
FILTERS = {"catch_errors": {}, "proxy-logging": {"use": "egg:swift#proxy_logging"}, "listing_formats": {}, "copy": {}, "slo": {},
           "cache": {"use": "egg:swift#memcache", "memcache_servers": "127.0.0.1:1"},
           "s3api": {"s3_acl": "no", "dns_compliant_bucket_names": "no"}, "tempauth": {"user_test_tester": "testing .admin"}}


def section(name: str, /, **values) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())


def rings(folder: pathlib.Path, kind: str, port: int) -> None:
    """One disk, one copy."""
    for words in (["create", "8", "1", "1"], ["add", f"r1z1-127.0.0.1:{port}/disk", "1"], ["rebalance"]):
        subprocess.run(["swift-ring-builder", f"{kind}.builder", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def swift(folder: pathlib.Path) -> typing.Iterator[Store]:
    """OpenStack Swift, a real object store: its four servers on one disk. Debian has it."""
    tools.set_up("swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server", "swift-ring-builder")
    probe = folder / "probe"
    probe.touch()
    try:
        os.setxattr(probe, "user.kanmon", b"1")
    except OSError:
        print(f"check-objects: {folder} lies on a file system without attributes of users, which Swift needs; set TMPDIR",
              file=sys.stderr)
        raise SystemExit(2) from None
    (folder / "disks" / "disk").mkdir(parents=True)
    front, *ports = free_ports(1 + len(KINDS))
    user = subprocess.run(["id", "-un"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    common = {"bind_ip": "127.0.0.1", "workers": 1, "user": user, "swift_dir": folder}
    (folder / "swift.conf").write_text(section("swift-hash", swift_hash_path_suffix="check", swift_hash_path_prefix="check")
                                       + section("storage-policy:0", name="one", default="yes"))
    for kind, port in zip(KINDS, ports):
        (folder / f"{kind}-server.conf").write_text(
            section("DEFAULT", **common, bind_port=port, devices=folder / "disks", mount_check="false")
            + section("pipeline:main", pipeline=f"{kind}-server") + section(f"app:{kind}-server", use=f"egg:swift#{kind}"))
        rings(folder, kind, port)
    (folder / "proxy-server.conf").write_text(
        section("DEFAULT", **common, bind_port=front) + section("pipeline:main", pipeline=PIPELINE)
        + section("app:proxy-server", use="egg:swift#proxy", account_autocreate="true")
        + "".join(section(f"filter:{name}", **{"use": f"egg:swift#{name}"} | values) for name, values in FILTERS.items()))
    commands = [[f"swift-{kind}-server", folder / f"{kind}-server.conf"] for kind in (*KINDS, "proxy")]
    with running(commands, [*ports, front], folder / "swift.log", {"SWIFT_DIR": str(folder)}):
        yield Store(f"http://127.0.0.1:{front}", "test:tester", "testing")


STORES = {"moto": moto, "swift": swift}
