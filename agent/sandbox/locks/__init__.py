"""The locks of a process: Landlock, seccomp, privileges, and the trial that looks whether they hold."""
