"""What the owner of an installation sees of it, and may do: for them alone, once they have signed in."""
