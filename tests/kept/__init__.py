"""What earlier versions wrote, one folder a version, and what is compared of it."""
