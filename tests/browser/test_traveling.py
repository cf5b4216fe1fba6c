"""A chat is taken along as a file and brought in again, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser


def test_export_and_import(browser: Browser, demo: AppServer, tmp_path: Path) -> None:
    files: dict[str, Path] = {}
    with visit(browser, demo.url) as anna:
        anna.ask("What is the cube of 17?")
        anna.expect_text("The cube of 17 is")
        anna.settle()
        anna.page.get_by_role("button", name="Export").click()
        anna.idle()
        for name, ending in (("Web page", "html"), ("Markdown", "md"), ("Events", "jsonl")):
            with anna.page.expect_download() as waiting:
                anna.page.get_by_role("button", name=name).click()
            files[ending] = tmp_path / f"chat.{ending}"
            waiting.value.save_as(files[ending])
            if ending == "html":  # the button lost the focus while its file was written
                anna.page.wait_for_function("document.querySelector('[role=dialog]').contains(document.activeElement)")
        # At once: whether the dialog has the focus again or not.
        anna.page.keyboard.press("Escape")
        anna.closed()
    for ending in ("html", "md", "jsonl"):
        assert "17" in files[ending].read_text(encoding="utf-8")
    # The figures of the answer lead to what was observed, and the check is said.
    assert 'class="mark seen"' in files["html"].read_text(encoding="utf-8")
    assert "figures traced" in files["md"].read_text(encoding="utf-8")
    with visit(browser, demo.url) as ben:
        ben.click(ben.page.get_by_role("button", name="Import a chat"))
        ben.dialog.locator('input[type="file"]').set_input_files(files["jsonl"])
        ben.expect_text("The cube of 17 is")
        ben.settle()
        expect(ben.page.get_by_role("link", name="(imported)")).to_have_count(1, timeout=SECONDS)
        ben.open_step(0)
        expect(ben.steps.first).to_contain_text("17^3")


def test_a_file_that_is_none_is_refused(browser: Browser, demo: AppServer, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"format": "other"}\n', encoding="utf-8")
    with visit(browser, demo.url) as chat:
        chat.click(chat.page.get_by_role("button", name="Import a chat"))
        chat.dialog.locator('input[type="file"]').set_input_files(wrong)
        expect(chat.page.get_by_role("dialog")).to_contain_text("This file was not imported.", timeout=SECONDS)


def test_why_a_file_of_another_kind_is_marked_is_said_in_the_language_of_the_page(
    browser: Browser, demo: AppServer, tmp_path: Path
) -> None:
    (tmp_path / "sums.csv").write_text("a\n1\n", encoding="utf-8")
    with visit(browser, demo.url, locale="ja-JP") as chat:
        chat.click(chat.page.get_by_role("button", name="チャットをインポート"))
        chat.dialog.locator('input[type="file"]').set_input_files(tmp_path / "sums.csv")
        sent = chat.dialog.get_by_test_id("stFileUploader")
        expect(sent).to_have_css("content", '"ファイルの種類が違うか、大きすぎます。"', pseudo="after")
