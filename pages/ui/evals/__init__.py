"""Tests of answers: keeping one, the sets, running them, the results."""
