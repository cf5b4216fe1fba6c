"""The card of a model: what it can do here, found by questions of ours whose tools need no web.

``card_questions`` are the questions, ``fixed_tools`` is with what they are answered, ``card_figures`` sums results up,
``card_cost`` says before what they will take.
"""
