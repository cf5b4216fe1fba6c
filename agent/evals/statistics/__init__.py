"""What results say: how often tests pass, what turned from one version to another, where runs of a test part."""
