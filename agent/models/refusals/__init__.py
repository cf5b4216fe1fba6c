"""What servers refuse: the errors they answer with, and what each teaches."""
