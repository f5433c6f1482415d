"""How what lies outside of a package is spoiled while a change of it is tested."""

import contextlib
import random
import socket
import time
from typing import Callable


def free_port(dice: random.Random) -> int:
    """A port below those that outgoing connections get."""
    while True:
        port = dice.randrange(20_000, 30_000)
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def taken(port: int) -> Callable:
    @contextlib.contextmanager
    def spoil(world, plant):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", port))
            holder.listen()
            yield
    return spoil


@contextlib.contextmanager
def without_variable(world, plant):
    for name in plant.variables:
        world.variables.pop(name)
    yield


@contextlib.contextmanager
def elsewhere(world, plant):
    # A zone that needs no file of zones.
    world.variables["TZ"] = "JST-9"
    yield


@contextlib.contextmanager
def without_file(world, plant):
    for name in plant.outside:
        (world.outside / name).unlink()
    yield


@contextlib.contextmanager
def full_disk(world, plant):
    """Whatever is written to the file ends with ENOSPC."""
    for name in plant.outside:
        (world.outside / name).unlink()
        (world.outside / name).symlink_to("/dev/full")
    yield


@contextlib.contextmanager
def later(world, plant):
    """What was valid for some seconds is so no more."""
    time.sleep(max(0, world.expiry - time.time()) + 1)
    yield
