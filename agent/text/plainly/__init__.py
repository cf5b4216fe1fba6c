"""An English question in plainer ones where no reader takes it as typed: without asides, by its quantities and dates."""
