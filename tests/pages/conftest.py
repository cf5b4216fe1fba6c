from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def packages_read_once() -> Iterator[None]:
    """Each ``AppTest`` reads the metadata of all installed packages, which takes it a quarter of a second of work."""
    read = manifest_scanner.scan_component_manifests
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(manifest_scanner, "scan_component_manifests", cache(read))
        yield
