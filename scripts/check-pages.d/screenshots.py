"""The pictures that the README and docs/dashboard.md show, for scripts/screenshots."""

from playwright.sync_api import sync_playwright

import dashboard
import tools

# The pages, and how much of each is shown.
PICTURES = {"home": 560, "project": 860, "run": 860, "source": 860}


def take(kanmon: str) -> None:
    with sync_playwright() as playwright, dashboard.demo(kanmon) as shown:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        addresses = dashboard.addresses(shown)
        for name, height in PICTURES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": 1200, "height": height}, color_scheme=scheme)
                page.goto(addresses[name])
                page.screenshot(path=tools.ROOT / f"docs/images/{name}-{scheme}.png")
                page.close()
        browser.close()

