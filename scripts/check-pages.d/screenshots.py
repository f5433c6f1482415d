"""The pictures that the README and docs/dashboard.md show. Called by scripts/screenshots."""

import argparse
import os
import pathlib

from playwright.sync_api import sync_playwright

import dashboard

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The pages, and how much of each is shown.
PICTURES = {"home": 560, "project": 860, "run": 860, "source": 860}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kanmon", type=pathlib.Path, default=os.environ.get("KANMON_BINARY", ROOT / ".build/debug/kanmon"))
    kanmon = parser.parse_args().kanmon
    with sync_playwright() as playwright, dashboard.demo(kanmon) as shown:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        addresses = dashboard.addresses(shown)
        for name, height in PICTURES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": 1200, "height": height}, color_scheme=scheme)
                page.goto(addresses[name])
                page.screenshot(path=ROOT / f"docs/images/{name}-{scheme}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
