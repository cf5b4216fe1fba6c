"""The question of two tools, a database and the web: what it is answered with, and by what."""

from __future__ import annotations

from typing import Any

QUESTION = "What country does the timezone of the user Ada belong to?"
SQL = "SELECT timezone FROM users WHERE name = 'Ada'"
SEARCH = "which country uses the timezone Africa/Lusaka"
ANSWER = "Ada's timezone is Africa/Lusaka, which belongs to Zambia."
USERS = (
    "CREATE TABLE users (id int PRIMARY KEY, name text, timezone text)",
    "INSERT INTO users VALUES (1, 'Ada', 'Africa/Lusaka'), (2, 'Alan', 'Europe/London')",
)
FOUND: dict[str, Any] = {
    "search_metadata": {"status": "Success"},
    "organic_results": [
        {
            "position": 1,
            "title": "Time in Zambia",
            "link": "https://time.example.com/zambia",
            "snippet": "Zambia has one time zone, Central Africa Time; its name in the tz database is Africa/Lusaka.",
        }
    ],
}
