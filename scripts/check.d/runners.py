"""Emulated runners: the shell steps of a composite action of GitHub, and the lines of a job of GitLab, really executed.

What is not a shell step is recorded and not run. An expression that is not understood ends the check, so that nothing is skipped
by mistake.
"""

import pathlib
import re
import subprocess


class Executed:
    """What a job did: its status, all that it printed, the steps of other actions, the names of the steps that ran."""

    def __init__(self):
        self.status = 0
        self.output = ""
        self.uses = []
        self.ran = []
        self.steps = {}
        self.summary = ""

    def run(self, command: list, script: str, folder: pathlib.Path, environment: dict) -> int:
        done = subprocess.run([*command, script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=900, check=False)
        self.output += done.stdout.decode(errors="replace")
        return done.returncode


def value(name: str, inputs: dict, steps: dict) -> str:
    """What a name of an expression stands for."""
    parts = name.strip().split(".")
    if parts[0] == "inputs" and len(parts) == 2:
        return inputs[parts[1]]
    if parts[0] == "steps" and len(parts) == 4 and parts[2] == "outputs":
        return steps.get(parts[1], {}).get(parts[3], "")
    if parts[0] == "steps" and len(parts) == 3 and parts[2] == "outcome":
        return steps.get(parts[1], {}).get("", "skipped")
    raise SystemExit(f"runners.py does not know {name}")


def expanded(text: str, inputs: dict, steps: dict) -> str:
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: value(found[1], inputs, steps), text)


def is_due(condition: str, has_failed: bool, inputs: dict, steps: dict) -> bool:
    """Whether a step runs: `always()` and comparisons with a text, joined by `&&`."""
    parts = [part.strip() for part in condition.split("&&")] if condition else []
    if has_failed and "always()" not in parts:
        return False
    for part in parts:
        if part == "always()":
            continue
        found = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", part)
        if not found:
            raise SystemExit(f"runners.py does not know the condition {part}")
        if (value(found[1], inputs, steps) == found[3]) != (found[2] == "=="):
            return False
    return True


def pairs(file: pathlib.Path) -> dict:
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def composite(action: dict, place: pathlib.Path, given: dict, folder: pathlib.Path, files: pathlib.Path, environment: dict,
              outputs_of_others: dict) -> Executed:
    """Runs the steps of a composite action in order, as a runner does, in a folder that is the checkout.

    `outputs_of_others` has the outputs of the steps that use other actions, by their id.
    """
    unknown = set(given) - set(action["inputs"])
    if unknown:
        raise SystemExit(f"the action has no input {unknown}")
    inputs = {name: given.get(name, about.get("default", "")) for name, about in action["inputs"].items()}
    executed, has_failed = Executed(), False
    files.mkdir(parents=True)
    (files / "temp").mkdir()
    names = ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]
    for number, step in enumerate(action["runs"]["steps"]):
        name = step.get("id", f"step-{number}")
        if not is_due(step.get("if", ""), has_failed, inputs, executed.steps):
            continue
        executed.ran.append(step["name"])
        if "uses" in step:
            parameters = {key: expanded(str(text), inputs, executed.steps) for key, text in step.get("with", {}).items()}
            executed.uses.append((step["uses"], parameters))
            executed.steps[name] = outputs_of_others.get(name, {}) | {"": "success"}
            continue
        for file in names:
            (files / file).write_text("")
        more = {key: expanded(str(text), inputs, executed.steps) for key, text in step.get("env", {}).items()}
        more |= {file: str(files / file) for file in names}
        more |= {"GITHUB_ACTION_PATH": str(place), "GITHUB_WORKSPACE": str(folder), "RUNNER_TEMP": str(files / "temp"),
                 "GITHUB_ACTIONS": "true", "CI": "true"}
        # These are the words that GitHub documents for `shell: bash`.
        status = executed.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], step["run"], folder, environment | more)
        executed.steps[name] = pairs(files / "GITHUB_OUTPUT") | {"": "failure" if status else "success"}
        environment = environment | pairs(files / "GITHUB_ENV")
        for folder_of_programs in (files / "GITHUB_PATH").read_text().splitlines():
            environment["PATH"] = f"{folder_of_programs}:{environment['PATH']}"
        executed.summary += (files / "GITHUB_STEP_SUMMARY").read_text()
        if status:
            has_failed = True
            executed.status = executed.status or status
    return executed


def gitlab_job(job: dict, folder: pathlib.Path, environment: dict) -> Executed:
    """Runs `before_script` and `script` of a job in one shell, then `after_script` in another, as GitLab's runner does."""
    executed = Executed()
    own = {"CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": str(folder)}
    for name, text in job["variables"].items():
        # Variables of the project, which are in the environment here, stand above those of the job.
        own[name] = environment.get(name, text)
    script = "\n".join([*job.get("before_script", []), *job["script"]])
    executed.status = executed.run(["bash", "-eo", "pipefail", "-c"], script, folder, environment | own)
    # Its status does not count.
    executed.run(["bash", "-eo", "pipefail", "-c"], "\n".join(job["after_script"]), folder, environment | own)
    return executed
