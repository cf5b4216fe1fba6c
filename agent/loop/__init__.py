"""One run: asks the model, calls the tools it named, shows it what came of them, until it answers."""
