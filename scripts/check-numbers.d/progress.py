"""What the progress file of a run says, in the folder `running` of the home, as long as the run lasts."""

import json
import pathlib
import re


class Live:
    """A run that has not ended, as its progress file tells of it."""

    def __init__(self, file: pathlib.Path):
        body = json.loads(file.read_text())
        self.id, self.project, self.began_at = body["runID"], body["project"], int(body["startedAt"] * 1_000_000_000)
        self.is_partial, self.revision = body["isPartial"], body.get("revision") or {}
        self.step, self.failures, self.running = (body["progress"].get(name) for name in ("step", "failures", "running"))
        self.built, self.to_build, self.found, self.ended, self.failed = (
            body["progress"][name] for name in ("built", "toBuild", "discovered", "ended", "failed"))
        # Of a run of tests; the colors of a terminal are no text.
        self.log = re.sub(r"\x1b\[[0-9;]*m", "", (pathlib.Path(body["folder"]) / "transcript.log").read_text()).splitlines()

    @property
    def short(self) -> str:
        return self.id[-12:]

    @property
    def address(self) -> str:
        return f"/runs/{self.id}/live"

    @property
    def headline(self) -> str:
        """What it does; the demo's builds and tests."""
        if self.step == "build":
            return f"Building, {self.built:,} of {self.to_build:,}"
        if self.step != "test":
            raise ValueError(f"no rule tells of a run in the step {self.step}")
        return f"Testing, {self.ended:,} of {self.found:,}" + (f", {self.failed:,} failed" if self.failed else "")
