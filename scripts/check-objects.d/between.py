"""What stands between Kanmon and an object store: it counts what is asked and what comes, and answers with faults when it is told to."""

import collections
import contextlib
import http.client
import http.server
import re
import socket
import threading
import time
import typing
import urllib.parse

# What can be wrong with the store; without any, what it answers is passed on.
FAULTS = {
    "away": "each connection is cut before anything is answered",
    "slow": "each answer takes a second, and comes with 64 KiB a second",
    "busy": "each request is answered with 503 and SlowDown",
    "short": "what is asked for comes half, and what is put is kept and not answered",
    "late": "lists do not have what was put in the last seconds",
}
# What a slow store sends, in bytes a second, and after how many seconds.
SLOW, PAUSE = 64 << 10, 1.0
# For how many seconds a list does not have what was put.
LATE = 20.0
BUSY = b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'
# What is between two machines only.
OF_CONNECTIONS = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Counted(typing.NamedTuple):
    """What was asked since the counting began."""

    calls: collections.Counter  # by their kind: GET, HEAD, PUT, DELETE, LIST
    sent: int  # bytes of bodies, to the store
    received: int

    def __str__(self) -> str:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.calls.items()))
        return f"{sum(self.calls.values()):,} calls ({kinds or 'none'}), {self.sent:,} bytes put, {self.received:,} bytes got"


class Between:
    """A port that leads to an S3 store."""

    def __init__(self, endpoint: str):
        self.far = urllib.parse.urlsplit(endpoint)
        self.fault = None
        self.lock = threading.Lock()
        self.put_at = {}
        self.begin()
        between = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # A head and a body that wait for each other would be slow.
            disable_nagle_algorithm = True
            connection_to_store = None

            def answer(self) -> None:
                between.answer(self)

            do_GET = do_HEAD = do_PUT = do_DELETE = do_POST = answer

            def log_message(self, *words) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request, client) -> None:
                """A client that goes away is no fault."""

        self.server = Server(("127.0.0.1", 0), Handler)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def begin(self) -> None:
        """Begins to count again."""
        with self.lock:
            self.calls, self.sent, self.received = collections.Counter(), 0, 0

    def counted(self) -> Counted:
        with self.lock:
            return Counted(self.calls.copy(), self.sent, self.received)

    def answer(self, near) -> None:
        """Answers one request."""
        body = near.rfile.read(int(near.headers.get("Content-Length") or 0))
        fault, is_list = self.fault, "list-type=" in near.path
        kind = "LIST" if is_list else near.command
        if fault == "away":
            return cut(near)
        if fault == "busy":
            return send(near, 503, [("Content-Type", "application/xml")], BUSY)
        if fault == "slow":
            time.sleep(PAUSE)
        # The name of the host is signed, so each field goes on as it is.
        status, fields, content = self.ask(near, body)
        with self.lock:
            self.calls[kind] += 1
            self.sent += len(body)
            self.received += len(content)
            if near.command == "PUT" and status == 200:
                self.put_at[key(near.path)] = time.monotonic()
        if fault == "late" and is_list:
            content = self.without_late(content)
        if fault == "short" and not is_list and near.command == "PUT":
            return cut(near)
        if fault == "short" and near.command == "GET" and len(content) > 1:
            send(near, status, fields, content, most=len(content) // 2)
            return cut(near)
        send(near, status, fields, content, pace=SLOW if fault == "slow" else None)

    def ask(self, near, body: bytes) -> tuple:
        """Asks the store: status, fields and body."""
        for attempt in range(2):
            try:
                if near.connection_to_store is None:
                    near.connection_to_store = http.client.HTTPConnection(self.far.hostname, self.far.port, timeout=120)
                far = near.connection_to_store
                far.putrequest(near.command, near.path, skip_host=True, skip_accept_encoding=True)
                for name, value in near.headers.items():
                    if name.lower() not in ("connection", "keep-alive"):
                        far.putheader(name, value)
                far.endheaders(body or None)
                answer = far.getresponse()
                return answer.status, answer.getheaders(), answer.read()
            except (OSError, http.client.HTTPException):
                # The store may have ended a connection that nothing went over for a while.
                near.connection_to_store.close()
                near.connection_to_store = None
                if attempt:
                    raise
        raise AssertionError("there is no third attempt")

    def without_late(self, content: bytes) -> bytes:
        """A list without what was put shortly before."""

        def shown(entry) -> bytes:
            name = re.search(rb"<Key>(.*?)</Key>", entry.group(0), re.DOTALL)
            moment = self.put_at.get(urllib.parse.unquote(name.group(1).decode())) if name else None
            return b"" if moment is not None and time.monotonic() - moment < LATE else entry.group(0)

        return re.sub(rb"<Contents>.*?</Contents>", shown, content, flags=re.DOTALL)


def key(path: str) -> str:
    """The name of the object at an address, without its bucket."""
    return urllib.parse.unquote(path.partition("?")[0]).partition("/")[2].partition("/")[2]


def cut(near) -> None:
    """Ends a connection without another word."""
    near.close_connection = True
    with contextlib.suppress(OSError):
        near.connection.shutdown(socket.SHUT_RDWR)


def send(near, status: int, fields: list, content: bytes, most: int | None = None, pace: int | None = None) -> None:
    """Sends an answer: the first bytes of its body only, or a number of bytes a second."""
    near.send_response_only(status)
    for name, value in fields:
        # The size of what a HEAD asks for is that of the object.
        if name.lower() not in OF_CONNECTIONS or (near.command == "HEAD" and name.lower() == "content-length"):
            near.send_header(name, value)
    if near.command != "HEAD" and status != 204:
        near.send_header("Content-Length", str(len(content)))
    near.end_headers()
    content = content[:most]
    if pace is None:
        near.wfile.write(content)
    else:
        for start in range(0, len(content), pace // 8):
            near.wfile.write(content[start:start + pace // 8])
            time.sleep(1 / 8)
    near.wfile.flush()


@contextlib.contextmanager
def between(endpoint: str) -> typing.Iterator[Between]:
    """Stands before a store for as long as it is needed."""
    middle = Between(endpoint)
    thread = threading.Thread(target=middle.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield middle
    finally:
        middle.server.shutdown()
        middle.server.server_close()
        thread.join(timeout=10)
