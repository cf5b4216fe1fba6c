"""Files of tests and of results: JSON lines, pydantic-evals' YAML, CSV, JUnit's XML."""
