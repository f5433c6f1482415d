"""Measures the times of two sides that alternate."""

import resource
import statistics
import time


class Timed:
    """Wall and CPU seconds of a block, including all child processes that ended in it."""

    def __enter__(self):
        self._begin, self._used = time.monotonic(), self._cpu()
        return self

    def __exit__(self, *_):
        self.wall, self.cpu = time.monotonic() - self._begin, self._cpu() - self._used

    @staticmethod
    def _cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime


def pairs(count: int, ours, theirs) -> tuple[list, list]:
    """The results of two functions for each number; they alternate, in changing order."""
    samples = ([], [])
    for number in range(count):
        for side in ((0, 1) if number % 2 == 0 else (1, 0)):
            samples[side].append((ours, theirs)[side](number))
    return samples


def medians(samples: list) -> tuple[float, float]:
    """The medians of the wall and of the CPU seconds."""
    return statistics.median(sample.wall for sample in samples), statistics.median(sample.cpu for sample in samples)
