"""What people who have signed in share with one another, and what the owner keeps for all."""
