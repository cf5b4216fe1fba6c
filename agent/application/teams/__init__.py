"""What people of one site do together: go on with what others shared, begin with what the owner keeps for all."""
