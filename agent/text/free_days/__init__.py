"""Questions of days in any words and any order: the days and lengths that are told, and what the question wishes."""
