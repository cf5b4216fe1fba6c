"""Where the files of chats are kept that several processes use: a shared folder, or an object store.

``file_store`` is the interface, ``copies`` has what a process works on: copies in a folder of its own, within a bound.
"""
