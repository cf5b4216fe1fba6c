"""Finds calls that a model wrote as text, in the dialect that it was trained on.

* ``openers.toml`` lists the marks around calls; ``openers`` has them as patterns.
* ``call_forms`` reads one call in each of the forms in which a tool and its arguments are written: JSON, key and value,
  Python, Gemma's braces; ``tag_forms`` those in tags. Any form may stand behind any mark: models drift. ``literals``
  reads the values, ``call_values`` has what a call is read as.
* ``finder`` says which calls of a whole text count: those of declared tools that are made, not shown.
* ``held_text`` keeps back what may become a call while the text still comes.
"""
