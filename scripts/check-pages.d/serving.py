"""Serves folders over HTTP, as Jenkins serves its artifacts, and as an ordinary server does."""

import contextlib
import functools
import http.server
import pathlib
import threading
import typing

# The policy that Jenkins sends with artifacts, user content and the pages of HTML Publisher.
JENKINS = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';"


class Site(typing.NamedTuple):
    """Pages to check: where the walk begins, and where the same pages are without a policy, if anywhere."""

    name: str
    start: str
    plain: typing.Optional[str] = None


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments, policy, **options):
        self.policy = policy
        super().__init__(*arguments, **options)

    def end_headers(self):
        # Without a cache, since only files that are loaded are checked against the policy of the page.
        self.send_header("Cache-Control", "no-store")
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
            self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder: pathlib.Path, policy: str = "") -> typing.Iterator[str]:
    """The address of a server for a folder."""
    handler = functools.partial(Handler, directory=str(folder), policy=policy)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
