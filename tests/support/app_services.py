"""The app's services for a test that draws its pages without a server, and who it is that looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import sha256

import pytest
import streamlit as st

from agent.application.services import Services, open_services
from agent.sandbox.client import Sandbox
from pages.ui.session import state


@contextmanager
def services_with(environment: Mapping[str, str], sandbox: Sandbox | None = None) -> Iterator[Services]:
    """Those that pages find where the environment says so, closed afterwards, but for a ``sandbox`` of others."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in environment.items():
            patched.setenv(name, value)
        patched.setattr(state, "open_services", partial(open_services, sandbox=sandbox))
        st.cache_resource.clear()
        opened = state.services()
        yield opened
        if not sandbox:
            opened.tables.sandbox.close()
        opened.runs.close()
        opened.store.close()
        st.cache_resource.clear()


def visitor_of(cookie: str) -> str:
    """Whose chats a browser with that cookie is shown."""
    return sha256(f"browser {cookie}".encode()).hexdigest()[:32]
