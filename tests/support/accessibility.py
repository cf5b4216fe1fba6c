"""What axe-core finds on a page."""

from __future__ import annotations

import importlib.resources

from playwright.sync_api import Page

# Spinners turn without end, and what is drawn anew may fade anew: neither is waited for.
_FADED = """() => Promise.race([
  Promise.allSettled(document.getAnimations()
    .filter(fading => fading.effect?.getComputedTiming().endTime < 5000).map(fading => fading.finished)),
  new Promise(enough => setTimeout(enough, 5000)),
]).then(() => true)"""
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe finds serious or critical, a line for each element."""
    page.wait_for_timeout(300)  # colours begin to fade in
    page.evaluate(_FADED)
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
