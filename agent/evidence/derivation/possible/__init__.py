"""Steps that may lead to a figure, without a proof."""
