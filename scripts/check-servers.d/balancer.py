"""A plain balancer: each connection goes to the next server that takes it, and whatever comes is passed on."""

import asyncio
import contextlib
import itertools
import multiprocessing
import socket
import typing


async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await source.read(64 << 10):
            target.write(piece)
            await target.drain()
    # Where one side ends, so does the other: a server that was killed cuts the connections that it had.
    with contextlib.suppress(OSError):
        target.close()


async def balance(listener: socket.socket, ports: list) -> None:
    turns = itertools.count()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = next(turns)
        for offset in range(len(ports)):
            try:
                far, near = await asyncio.open_connection("127.0.0.1", ports[(first + offset) % len(ports)])
                break
            except OSError:
                continue
        else:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, near), pass_on(far, writer))

    server = await asyncio.start_server(take, sock=listener)
    await server.serve_forever()


@contextlib.contextmanager
def balancing(ports: list) -> typing.Iterator[int]:
    """A port that leads to any of some others, in a process of its own, for as long as it is needed."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    process = multiprocessing.Process(target=lambda: asyncio.run(balance(listener, ports)), daemon=True)
    process.start()
    try:
        yield listener.getsockname()[1]
    finally:
        process.terminate()
        process.join(timeout=10)
        listener.close()
