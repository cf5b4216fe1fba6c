"""Says how any tool is typed, validated, repaired and told to a model."""
