"""A shell for the agent: commands of a model's, confined by bubblewrap to namespaces of their own and one folder."""
