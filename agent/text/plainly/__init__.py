"""English questions in plainer words, where no reader takes them as typed: without asides, by quantities and dates."""
