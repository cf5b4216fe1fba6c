"""Arithmetic as people and models write it: text → tokens → tree → number, every step of it bounded.

``numbers``    exact fractions, 60-digit decimals, and the operators between them
``functions``  the functions and constants that can be named
``tokens``     notation (words, LaTeX, superscripts, full-width forms) into one small alphabet
``grammar``    tokens into a tree: precedence, percent, implicit multiplication
``evaluator``  the tree into a number, through simpleeval
"""
