"""Where code and files that nobody vouches for are run: a locked process for each conversation.

``client.py`` is the door: ``Sandbox`` and its sessions, in the app. ``zygote.py`` is started by it as a program of its
own; ``worker.py`` is what each fork of that becomes, once it is locked. Nothing else may run what a model wrote.
"""
