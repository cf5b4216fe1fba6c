"""What is said of rows whose figure is missing: "ignoring blanks", and what is still to be looked for in them."""

from __future__ import annotations

import re

from agent.data.tables.questions.table_schema import Asked
from agent.text.regex import regex

# Of a figure that is put together or set in order, those that are missing are left out anyway.
OF_KNOWN = ("sum", "avg", "median", "min", "max")
_LEAVING_OUT = r"(?:ignoring|leaving out|not counting|excluding|skipping|except(?: for)?|without|apart from|only)"
KNOWN = regex(
    rf",? {_LEAVING_OUT} (?:the )?(?:blanks?|empty|missing|gaps?)"
    r"(?: (?:ones?|cells?|rows?|values?|figures?|days?))?(?=$|[,:])"
    rf"|,? {_LEAVING_OUT} the (?:ones?|days?|rows?) (?:(?:where|that|with|which|it|its|there|is|has|are|have) )+"
    r"(?:blank|empty|missing|nothing|no figure)(?=$|[,:])"
    r"|,?(?: (?:on|for|of|in|only|just|among|the|those|that|which|who|where|when|they|people|ones|days|rows"
    r"|everyone))+"
    r" (?:(?:it|its|it is|is|are|we|i|have|has|been|they) )*(?:filled in|written down|recorded|known|know it"
    r"|(?:sat|took) it|have one|has one)(?=$|[,:])",
    re.I,
)


def is_sought(made: Asked) -> bool:
    """Whether a text of it is still to be looked for."""
    return any(one.sought for one in made.filters)
