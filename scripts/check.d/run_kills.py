"""Kills `kanmon run` at random moments and looks for processes that survive it."""

import random
import signal
import statistics
import time

import casefile
import descendants
import tools
import victim
from surroundings import work_folder

# Not every run has the same products: sometimes something must be compiled first.
ROUNDS_BETWEEN_BUILDS = 4


def check(count: int, seed: int) -> int:
    """Does all rounds and prints the results; returns 0 if nothing survived and Kanmon works as before."""
    descendants.adopt()
    chance = random.Random(seed)
    (case,) = casefile.load(["Kills"])
    with work_folder() as folder:
        bench = victim.Bench(tools.kanmon(), folder)
        bench.lay_out(case)
        result = bench.kanmon(case)
        whole = statistics.median([bench.kanmon(case).seconds for _ in range(3)])

        killed = 0
        phases: dict = {}
        left: list = []
        longest = 0.0
        while killed < count:
            if killed % ROUNDS_BETWEEN_BUILDS == 0:
                touch(bench, killed)
            process = bench.start(
                [bench.program, "run", "--package-path", str(bench.package), "--home", str(bench.home)])
            time.sleep(chance.uniform(0, whole))
            process.send_signal(signal.SIGKILL)
            if process.wait() != -signal.SIGKILL:
                descendants.bury()
                continue
            killed += 1
            begin = time.monotonic()
            survivors = descendants.survivors()
            longest = max(longest, time.monotonic() - begin)
            lines = bench.log.read_text(errors="replace").splitlines()
            phase = lines[-1].split(" in ")[0] if lines else "before the build"
            phases[phase] = phases.get(phase, 0) + 1
            if survivors:
                left.append(survivors)
                print(f"round {killed}: {survivors}", flush=True)
            descendants.bury()

        sound = bench.run([bench.program, "db", "check", "--home", str(bench.home)])
        after = bench.kanmon(case)
        works = result.found == after.found and result.status == int(case.headers["status"])

        print(f"a whole run takes        {whole:.1f} s (median of 3)")
        print(f"killed                   {killed} (seed {seed})")
        print(f"after the line           {', '.join(f'{name}: {times}' for name, times in sorted(phases.items()))}")
        print(f"rounds with survivors    {len(left)}")
        print(f"nothing was left after   {longest:.2f} s at the latest")
        print(f"database                 {'sound' if sound.status == 0 else sound.output}")
        print(f"the next run             {'the same as the first' if works else f'DIFFERENT: {after.found}'}")
        return 0 if not left and works and sound.status == 0 else 1


def touch(bench: victim.Bench, number: int) -> None:
    """Changes a source, so that the next run has something to compile."""
    path = bench.package / "Sources" / "App" / "App.swift"
    path.write_bytes((victim.SAMPLE / "Sources" / "App" / "App.swift").read_bytes() + f"// {number}\n".encode())
