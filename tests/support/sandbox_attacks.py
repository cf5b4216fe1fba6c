"""What a program in the sandbox might try, and the canaries that tell whether it got anywhere.

A program gets nothing where it says neither ``HIT!`` nor a canary's text, no listener hears of it, and the canaries'
folder is as it was. ``reads``, ``does`` and the names in capitals are given to each (``PRELUDE``).
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import pickle
import select
import shutil
import socket
import sqlite3
import sys
import threading
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from uuid import uuid4

from agent.errors import ToolFailed
from agent.sandbox.client import ZYGOTE, Role, Sandbox
from agent.sandbox.sandbox_errors import WorkerKilled
from agent.web.fetching.fetcher import Fetched
from agent.web.reading.page_process import read_document

PRELUDE = """
import ctypes, errno, gc, io, mmap, os, re, signal, socket, struct, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def hit(what=''):
    print('H' + chr(73) + 'T!', what)  # so that the text of a program does not count
def does(attempt):
    'A hit where it neither raises nor answers -1, False or None.'
    try:
        result = attempt()
    except BaseException as error:
        return print(type(error).__name__, error)
    if result is not None and result is not False and not (isinstance(result, int) and result == -1):
        hit(repr(result)[:200])
def reads(attempt):
    'A hit where what it answers holds a canary.'
    try:
        print(str(attempt())[:100000])
    except BaseException as error:
        print(type(error).__name__, error)
def call(number, *arguments):
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return int(libc.syscall(ctypes.c_long(number), *passed))
def true(value):
    return True
"""

# name: code. Everything here is harmless where it succeeds, so that it can be run without protection, too.
READING = {
    "open": "reads(lambda: open(FILE).read())",
    "os.open": "reads(lambda: os.read(os.open(FILE, os.O_RDONLY), 999))",
    "pathlib": "import pathlib; reads(lambda: pathlib.Path(FILE).read_bytes())",
    "codecs": "import codecs; reads(lambda: codecs.open(FILE).read())",
    "linecache": "import linecache; reads(lambda: linecache.getlines(FILE))",
    "fileinput": "import fileinput; reads(lambda: list(fileinput.input(FILE)))",
    "tokenize.open": "import tokenize; reads(lambda: tokenize.open(FILE).read())",
    "runpy": "import runpy; reads(lambda: runpy.run_path(SCRIPT)['found'])",
    "importlib spec": """
        import importlib.util as u
        reads(lambda: u.module_from_spec(s := u.spec_from_file_location('x', SCRIPT)) and s.loader.get_data(SCRIPT))""",
    "import from a path": "sys.path.insert(0, DIR); reads(lambda: __import__('canary').found)",
    "site.addsitedir": "import site; reads(lambda: (site.addsitedir(DIR), __import__('canary').found))",
    "exec of a file": "reads(lambda: exec(compile(open(SCRIPT).read(), 'x', 'exec')) or found)",
    "shutil.copy": "import shutil; reads(lambda: open(shutil.copy(FILE, 'copy')).read())",
    "mmap": "reads(lambda: mmap.mmap(os.open(FILE, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:])",
    "fopen of C": """
        libc.fopen.restype = ctypes.c_void_p
        def read():
            stream = libc.fopen(FILE.encode(), b'r')
            text = ctypes.create_string_buffer(999)
            return stream and libc.fgets(text, 999, ctypes.c_void_p(stream)) and text.value
        reads(read)""",
    "open by system call": "does(lambda: call(257, -100, ctypes.c_char_p(FILE.encode()), 0, 0))",
    "openat2": "does(lambda: call(437, -100, ctypes.c_char_p(FILE.encode()), ctypes.c_char_p(bytes(24)), 24))",
    "open through the root of /proc": "reads(lambda: open('/proc/self/root' + FILE).read())",
    "open from above": "reads(lambda: open('../' * 20 + FILE).read())",
    "open through a directory": "reads(lambda: os.read(os.open(NAME, 0, dir_fd=os.open(DIR, os.O_PATH)), 999))",
    "a link to it": "os.symlink(FILE, 'link'); reads(lambda: open('link').read())",
    "a hard link to it": "os.link(FILE, 'hard'); reads(lambda: open('hard').read())",
    "listdir": "reads(lambda: os.listdir(DIR))",
    "scandir": "reads(lambda: [e.name for e in os.scandir(DIR)])",
    "walk": "reads(lambda: list(os.walk(DIR)))",
    "glob": "import glob; reads(lambda: glob.glob(DIR + '/*'))",
    "another visitor's folder": "reads(lambda: [open(os.path.join(OTHER, n)).read() for n in os.listdir(OTHER)])",
    "numpy.fromfile": "import numpy; reads(lambda: numpy.fromfile(FILE, dtype='u1').tobytes())",
    "numpy.memmap": "import numpy; reads(lambda: bytes(numpy.memmap(FILE, mode='r')))",
    "numpy.genfromtxt": "import numpy; reads(lambda: numpy.genfromtxt(FILE, dtype=str))",
    "numpy.load": "import numpy; reads(lambda: numpy.load(PICKLE, allow_pickle=True))",
    "pickle": "import pickle; reads(lambda: pickle.load(open(PICKLE, 'rb')))",
    "pickle that opens": """
        import pickle
        reads(lambda: pickle.loads(b'cio\\nopen\\n(V' + FILE.encode() + b'\\ntR.').read())""",
    "pandas.read_csv": "import pandas; reads(lambda: pandas.read_csv(FILE, header=None))",
    "pandas.read_fwf": "import pandas; reads(lambda: pandas.read_fwf(FILE, header=None))",
    "pandas with pyarrow": "import pandas; reads(lambda: pandas.read_csv(FILE, header=None, engine='pyarrow'))",
    "pandas.read_pickle": "import pandas; reads(lambda: pandas.read_pickle(PICKLE))",
    "pandas.eval": "import pandas; reads(lambda: pandas.eval('@open(@FILE).read()', engine='python'))",
    "pyarrow.OSFile": "import pyarrow; reads(lambda: pyarrow.OSFile(FILE).read())",
    "pyarrow.memory_map": "import pyarrow; reads(lambda: pyarrow.memory_map(FILE).read())",
    "pyarrow.fs": "from pyarrow import fs; reads(lambda: fs.LocalFileSystem().open_input_file(FILE).read())",
    "pyarrow.csv": "from pyarrow import csv; reads(lambda: csv.read_csv(FILE))",
    "duckdb read_text": "import duckdb; reads(lambda: duckdb.sql(f\"from read_text('{FILE}')\").fetchall())",
    "duckdb read_csv": "import duckdb; reads(lambda: duckdb.sql(f\"from read_csv('{FILE}')\"))",
    "duckdb read_blob": "import duckdb; reads(lambda: duckdb.sql(f\"from read_blob('{FILE}')\").fetchall())",
    "duckdb replacement": "import duckdb; reads(lambda: duckdb.sql(f\"from '{FILE}.csv'\"))",
    "duckdb glob": "import duckdb; reads(lambda: duckdb.sql(f\"from glob('{DIR}/*')\").fetchall())",
    "duckdb attach": "import duckdb; does(lambda: duckdb.sql(f\"attach '{DIR}/d.duckdb'; select 1\").fetchall())",
    "sqlite": "import sqlite3; reads(lambda: sqlite3.connect(DATABASE).execute('select * from t').fetchall())",
    "sqlite attach": """
        import sqlite3
        reads(lambda: (c := sqlite3.connect(':memory:')).execute(f"attach '{DATABASE}' as d") and
              c.execute('select * from d.t').fetchall())""",
    "matplotlib style": "import matplotlib; reads(lambda: matplotlib.rc_params_from_file(FILE))",
    "zipfile": "import zipfile; reads(lambda: zipfile.ZipFile(ZIP).read('x'))",
    "tarfile": "import tarfile; reads(lambda: tarfile.open('t.tar', 'w').add(FILE) or open('t.tar','rb').read())",
    "sendfile": "reads(lambda: os.sendfile(os.open('o', 66), os.open(FILE, 0), 0, 99) and open('o').read())",
    "dlopen": "does(lambda: ctypes.CDLL(FILE))",
    "io_uring": "does(lambda: call(425, 4, ctypes.create_string_buffer(120)))",
    "open_by_handle": """
        handle = ctypes.create_string_buffer(b'\\x80\\0\\0\\0' + bytes(200))
        does(lambda: call(303, -100, ctypes.c_char_p(FILE.encode()), handle, ctypes.byref(ctypes.c_int()), 0))""",
    "passwd": "does(lambda: open('/etc/passwd').read())",
    "users": "import pwd; does(lambda: pwd.getpwuid(1).pw_name)",
    "host name file": "does(lambda: open('/etc/hostname').read())",
    "disks": "does(lambda: open('/proc/mounts').read())",
    "the app's modules": """
        import agent
        agent.__path__; reads(lambda: hit(open(os.path.join(agent.__path__[0], 'store.py')).read()))""",
    "import of the app": "import agent.store.runs; hit()",
    "source of the app": "reads(lambda: hit(open(os.path.join(ROOT, 'app.py')).read()))",
}

ENVIRONMENT = {
    "os.environ": "reads(lambda: dict(os.environ))",
    "getenv of C": "libc.getenv.restype = ctypes.c_char_p; reads(lambda: libc.getenv(b'SANDBOX_CANARY'))",
    "environ of C": """
        environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, 'environ')
        reads(lambda: [environ[i] for i in range(12)])""",
    "own /proc": "does(lambda: open('/proc/self/environ').read())",
    "parent's /proc": "does(lambda: open(f'/proc/{os.getppid()}/environ').read())",
    "the app's /proc": "reads(lambda: open(f'/proc/{APP}/environ').read())",
    "command line of the app": "does(lambda: open(f'/proc/{APP}/cmdline').read())",
    "all of /proc": """
        import glob
        reads(lambda: [open(p).read() for p in glob.glob('/proc/[0-9]*/environ')])
        does(lambda: any(e.isdigit() for e in os.listdir('/proc')))""",
    "first process": "does(lambda: open('/proc/1/environ').read())",
    "memory of the app": "does(lambda: open(f'/proc/{APP}/mem', 'rb'))",
    "maps of the app": "does(lambda: open(f'/proc/{APP}/maps').read())",
    "files of the app": "does(lambda: os.listdir(f'/proc/{APP}/fd'))",
    "own memory": "does(lambda: open('/proc/self/mem', 'r+b'))",
    "own files": "does(lambda: os.listdir('/proc/self/fd'))",
    "objects": """
        kinds = (str, bytes, dict, list, tuple)
        reads(lambda: [o for o in gc.get_objects() if isinstance(o, kinds) and 'CANARY' in str(o)[:9999]])""",
    "subclasses": """
        found = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]
        reads(lambda: found('cat ' + FILE, shell=True, stdout=-1).communicate()[0])""",
    "frames": """
        frame = sys._getframe()
        while frame:
            reads(lambda: {k: str(v)[:2000] for k, v in frame.f_locals.items()})
            frame = frame.f_back""",
    "files left open": """
        for number in range(3, 1024):
            try:
                os.lseek(number, 0, 0); print(os.read(number, 999))
            except OSError:
                pass""",
    "audit hook": "sys.addaudithook(lambda *a: None); reads(lambda: open(FILE).read())",
}

NETWORK = {
    "tcp": "does(lambda: socket.create_connection(('127.0.0.1', TCP)))",
    "tcp 6": "does(lambda: socket.socket(socket.AF_INET6))",
    "udp": "does(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', UDP)))",
    "unix": "does(lambda: socket.socket(socket.AF_UNIX).connect(UNIX) or True)",
    "unix, no name": "does(lambda: socket.socket(socket.AF_UNIX).connect('\\0' + ABSTRACT) or True)",
    "socketpair": "does(socket.socketpair)",
    "netlink": "does(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))",
    "raw packets": "does(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))",
    "virtual machine sockets": "does(lambda: socket.socket(40, socket.SOCK_STREAM))",
    "kernel crypto sockets": "does(lambda: socket.socket(38, socket.SOCK_SEQPACKET))",
    "listening": "does(lambda: socket.create_server(('127.0.0.1', 0)))",
    "socket by system call": "does(lambda: call(41, 2, 1, 0))",
    "socket of C": "does(lambda: libc.socket(2, 1, 0))",
    "urllib": "import urllib.request; does(lambda: urllib.request.urlopen(f'http://127.0.0.1:{TCP}', timeout=0.2))",
    "http.client": "import http.client; does(lambda: http.client.HTTPConnection('127.0.0.1', TCP).connect() or True)",
    "name look-up": "does(lambda: socket.getaddrinfo('localhost', 80, type=socket.SOCK_DGRAM) and socket.socket())",
    "asyncio": "import asyncio; does(lambda: asyncio.run(asyncio.sleep(0, True)))",
    "pandas from an address": "import pandas; does(lambda: pandas.read_csv(f'http://127.0.0.1:{TCP}/x.csv'))",
    "duckdb httpfs": """
        import duckdb
        does(lambda: duckdb.sql(f"from read_csv('http://127.0.0.1:{TCP}/x.csv')").fetchall())""",
    "duckdb install": "import duckdb; does(lambda: duckdb.sql('install httpfs; select 1').fetchall())",
    "pyarrow s3": """
        from pyarrow import fs
        options = dict(scheme='http', anonymous=True, connect_timeout=0.2, request_timeout=0.2)
        does(lambda: fs.S3FileSystem(endpoint_override=f'127.0.0.1:{TCP}', **options).get_file_info('a/b').type)""",
    "messages on the channel": """
        import array
        for number in range(3, 64):
            try:
                channel = socket.socket(fileno=number)
            except OSError:
                continue
            does(lambda: channel.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0]))]))
            channel.detach()""",
}

WRITING = {
    "open": "does(lambda: open(DIR + '/new', 'w'))",
    "open to append": "does(lambda: open(FILE, 'a'))",
    "open to change": "does(lambda: open(FILE, 'r+'))",
    "empty it while reading": "does(lambda: os.open(FILE, os.O_RDONLY | os.O_TRUNC))",
    "empty a library while reading": """
        import numpy
        does(lambda: os.open(os.path.dirname(numpy.__file__) + '/py.typed', os.O_RDONLY | os.O_TRUNC))""",
    "change a library": "import pandas; does(lambda: open(pandas.__file__, 'r+'))",
    "a new library": "import pandas; does(lambda: open(os.path.dirname(pandas.__file__) + '/new.py', 'w'))",
    "truncate": "does(lambda: true(os.truncate(FILE, 0)))",
    "unlink": "does(lambda: true(os.unlink(FILE)))",
    "rename": "does(lambda: true(os.rename(FILE, FILE + '2')))",
    "mkdir": "does(lambda: true(os.mkdir(DIR + '/folder')))",
    "mkdir in its own folder": "does(lambda: true(os.mkdir('folder')))",
    "rmdir": "does(lambda: true(os.rmdir(DIR + '/empty')))",
    "rmtree": "import shutil; does(lambda: true(shutil.rmtree(DIR + '/empty')))",
    "chmod": "does(lambda: true(os.chmod(FILE, 0o600)))",
    "chown": "does(lambda: true(os.chown(FILE, os.getuid(), os.getgid())))",
    "utime": "does(lambda: true(os.utime(FILE, (1, 1))))",
    "attributes": "does(lambda: true(os.setxattr(FILE, 'user.x', b'1')))",
    "symlink": "does(lambda: true(os.symlink('/', 'link')))",
    "link": "does(lambda: true(os.link(FILE, 'hard')))",
    "pipe in the folder": "does(lambda: true(os.mkfifo('fifo')))",
    "device": "does(lambda: true(os.mknod('device', 0o20600, os.makedev(1, 3))))",
    "socket file": "does(lambda: true(socket.socket(socket.AF_UNIX).bind('socket')))",
    "temporary file elsewhere": "import tempfile; does(lambda: tempfile.NamedTemporaryFile(dir='/tmp'))",
    "shared memory": "does(lambda: open('/dev/shm/canary', 'w'))",
    "shared memory of Python": """
        from multiprocessing import shared_memory
        does(lambda: shared_memory.SharedMemory(create=True, size=99))""",
    "own killer score": "does(lambda: open('/proc/self/oom_score_adj', 'w').write('-1'))",
    "data frame to CSV": "import pandas; does(lambda: true(pandas.DataFrame({'a': [1]}).to_csv(DIR + '/new.csv')))",
    "data frame to Parquet": """
        import pandas
        does(lambda: true(pandas.DataFrame({'a': [1]}).to_parquet(DIR + '/new.parquet')))""",
    "numpy.save": "import numpy; does(lambda: true(numpy.save(DIR + '/new.npy', [1])))",
    "savefig": "from matplotlib import pyplot; does(lambda: true(pyplot.figure().savefig(DIR + '/new.png')))",
    "duckdb copy": "import duckdb; does(lambda: true(duckdb.sql(f\"copy (select 1) to '{DIR}/new.csv'\")))",
    "duckdb export": """
        import duckdb
        does(lambda: true(duckdb.sql(f"create table t as select 1; export database '{DIR}/x'")))""",
    "duckdb log": """
        import duckdb
        reads(lambda: duckdb.sql(f"from enable_logging(storage='file', storage_path='{DIR}')").fetchall())""",
    "sqlite": "import sqlite3; does(lambda: sqlite3.connect(DIR + '/new.db').execute('create table t (a)'))",
    "sqlite vacuum": """
        import sqlite3
        does(lambda: sqlite3.connect(':memory:').execute(f"vacuum into '{DIR}/new.db'"))""",
    "the visitor's tables": "does(lambda: open(TABLE, 'r+b'))",
    "empty the visitor's tables": "does(lambda: os.open(TABLE, os.O_RDONLY | os.O_TRUNC))",
    "delete the visitor's tables": "does(lambda: true(os.unlink(TABLE)))",
    "beside the visitor's tables": "does(lambda: open(TABLE + '.new', 'w'))",
}

# Each of these only asks whether it could.
PROCESSES = {
    "fork": "does(lambda: os.fork() or os._exit(0))",
    "vfork": "does(lambda: call(58) or os._exit(0))",
    "fork by system call": "does(lambda: call(57) or os._exit(0))",
    "clone": "does(lambda: call(56, 17, 0, 0, 0, 0) or os._exit(0))",
    "clone3": """
        arguments = ctypes.c_char_p(struct.pack('11Q', 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
        does(lambda: call(435, arguments, 88) or os._exit(0))""",
    "a thread in a new namespace": "does(lambda: call(56, 0x10000000 | 17, 0, 0, 0, 0) or os._exit(0))",
    "pty": "import pty; does(lambda: pty.fork()[0] or os._exit(0))",
    "posix_spawn": "does(lambda: os.posix_spawn('/bin/true', ['true'], {}))",
    "subprocess": "does(lambda: subprocess.run(['/bin/true']))",
    "system": "does(lambda: os.system('true') == 0)",
    "popen": "reads(lambda: os.popen('cat ' + FILE).read())",
    "multiprocessing": "import multiprocessing; does(lambda: true(multiprocessing.Process(target=print).start()))",
    "process pool": """
        from concurrent.futures import ProcessPoolExecutor as P
        does(lambda: P(1).submit(abs, 1).result(1))""",
    "asyncio subprocess": "import asyncio; does(lambda: asyncio.run(asyncio.create_subprocess_exec('/bin/true')))",
    "exec of a descriptor": "does(lambda: os.execve(os.open('/usr/bin/true', os.O_RDONLY), ['true'], {}))",
    "memfd": "does(lambda: os.memfd_create('x'))",
    "ptrace of the parent": "does(lambda: libc.ptrace(16, os.getppid(), 0, 0))",
    "ptrace of the app": "does(lambda: libc.ptrace(16, APP, 0, 0))",
    "being traced": "does(lambda: libc.ptrace(0, 0, 0, 0))",
    "memory of the app": """
        local = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(9)), 8)
        remote = (ctypes.c_size_t * 2)(SECRET_AT, 8)
        does(lambda: call(310, APP, local, 1, remote, 1, 0))""",
    "writing to the memory of the app": """
        local = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(9)), 0)
        does(lambda: call(311, APP, local, 1, local, 1, 0))""",
    "pidfd": "does(lambda: os.pidfd_open(APP))",
    "files of the app by pidfd": "does(lambda: call(438, call(434, APP, 0), 0, 0))",
    "signal to the app": "does(lambda: true(os.kill(APP, 0)))",
    "signal to the parent": "does(lambda: true(os.kill(os.getppid(), 0)))",
    "signal to the group": "does(lambda: true(os.killpg(0, 0)))",
    "signal to all": "does(lambda: true(os.kill(-1, 0)))",
    "signal to a thread of the parent": "does(lambda: call(234, os.getppid(), os.getppid(), 0))",
    "tkill": "does(lambda: call(200, os.getppid(), 0))",
    "queued signal": "does(lambda: call(129, os.getppid(), 0, ctypes.create_string_buffer(128)))",
    "outliving the parent": "does(lambda: libc.prctl(1, 0, 0, 0, 0))",
    "being readable": "does(lambda: libc.prctl(4, 1, 0, 0, 0))",
    "keeping capabilities": "does(lambda: libc.prctl(8, 1, 0, 0, 0))",
    "another filter": "does(lambda: libc.prctl(22, 2, 0, 0, 0))",
    "other user": "does(lambda: true(os.setuid(0)))",
    "other groups": "does(lambda: true(os.setgroups([0])))",
    "capabilities": """
        does(lambda: call(126, ctypes.c_char_p(struct.pack('Ii', 0x20080522, 0)), ctypes.c_char_p(b'\\xff' * 24)))""",
    "more files": "import resource; does(lambda: true(resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))))",
    "limits of the app": "import resource; does(lambda: resource.prlimit(APP, resource.RLIMIT_NOFILE))",
    "own limits by prlimit": "import resource; does(lambda: resource.prlimit(0, resource.RLIMIT_NOFILE, (9, 9)))",
    "priority": "does(lambda: true(os.setpriority(os.PRIO_PROCESS, 0, 19)))",
    "scheduler": "does(lambda: true(os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))))",
    "processors": "does(lambda: true(os.sched_setaffinity(0, os.sched_getaffinity(0))))",
    "personality": "does(lambda: libc.personality(0xffffffff))",
    "new user namespace": "does(lambda: libc.unshare(0x10000000))",
    "new mount namespace": "does(lambda: libc.unshare(0x00020000))",
    "namespace of another": "does(lambda: call(308, 0, 0))",
    "mount": "does(lambda: libc.mount(b'none', b'/nonexistent', b'tmpfs', 0, 0))",
    "chroot": "does(lambda: true(os.chroot('.')))",
    "host name": "does(lambda: libc.sethostname(b'', 1 << 20))",
    "kernel keys": "does(lambda: call(250, 0, -3, 0, 0, 0))",
    "adding keys": """
        does(lambda: call(248, ctypes.c_char_p(b'user'), ctypes.c_char_p(b'x'), ctypes.c_char_p(b'y'), 1, -3))""",
    "bpf": """
        arguments = ctypes.c_char_p(struct.pack('8I', 2, 4, 4, 1, 0, 0, 0, 0) + bytes(96))
        does(lambda: call(321, 0, arguments, 128))""",
    "perf": """
        arguments = ctypes.create_string_buffer(struct.pack('IIQ', 1, 128, 0) + bytes(112))
        does(lambda: call(298, arguments, 0, -1, -1, 0))""",
    "userfaultfd": "does(lambda: call(323, 1))",
    "kernel log": "does(lambda: call(103, 3, ctypes.create_string_buffer(99), 99))",
    "shared memory of System V": "does(lambda: libc.shmget(0, 4096, 0o1600))",
    "message queue of System V": "does(lambda: libc.msgget(0, 0o1600))",
    "semaphores of System V": "does(lambda: libc.semget(0, 1, 0o1600))",
    "message queue": "does(lambda: call(240, ctypes.c_char_p(b'canary'), 66, 0o600, 0))",
    "inotify": "does(lambda: libc.inotify_init())",
    "fanotify": "does(lambda: libc.fanotify_init(0, 0))",
    "aio": "does(lambda: call(206, 1, ctypes.byref(ctypes.c_long(0))))",
    "terminal input": "import fcntl; does(lambda: fcntl.ioctl(0, 0x5412, b'x'))",
    "owner of a file's signals": "import fcntl; does(lambda: true(fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())))",
    "signal of a file": "import fcntl; does(lambda: true(fcntl.fcntl(0, fcntl.F_SETSIG, 9)))",
    "lease": "import fcntl; open('l', 'w'); does(lambda: true(fcntl.fcntl(os.open('l', 0), fcntl.F_SETLEASE, 0)))",
    "timer": "does(lambda: call(222, 1, 0, ctypes.byref(ctypes.c_int())))",
    "32-bit system call": """
        code = mmap.mmap(-1, 4096, prot=7)
        code.write(bytes.fromhex('b805000000' 'bb00000000' 'b900000000' 'cd80' 'c3'))  # open(0, 0) as on i386
        at = ctypes.addressof(ctypes.c_char.from_buffer(code))
        print('before')
        ctypes.CFUNCTYPE(ctypes.c_long)(at)()
        hit()""",
    "x32 system call": "print('before'); does(lambda: call(0x40000000 | 39)); hit()",
}

# Reasons that a worker is killed for; an empty one where it lives and answers. Time may always be up first.
RESOURCES: dict[str, tuple[str, set[str]]] = {
    "list without end": ("x = [b'y' * 4096]\nwhile True: x.append(bytes(1 << 16))", {"memory", "", "time"}),
    "one large block": ("x = b'y' * (1 << 33)", {""}),
    "text without end": ("x = 'y'\nwhile True: x += x", {"", "memory"}),
    "shared map": ("x = mmap.mmap(-1, 1 << 30)\nfor i in range(0, 1 << 30, 4096): x[i] = 1", {"memory", ""}),
    "many maps": (
        "x = []\nwhile True:\n  m = mmap.mmap(-1, 1 << 24); m.write(b'y' * (1 << 24)); x.append(m)",
        {"memory", ""},
    ),
    "array": ("import numpy; numpy.ones(1 << 30)", {""}),
    "array bit by bit": ("import numpy\nx = []\nwhile True: x.append(numpy.ones(1 << 20))", {"memory", ""}),
    "frame joined with itself": (
        "import pandas\nd = pandas.DataFrame({'a': [1] * 30000})\nlen(d.merge(d, on='a'))",
        {"memory", "", "time"},
    ),
    "recursion": ("def f(): return f()\nf()", {""}),
    "recursion of C": ("x = []\nfor i in range(10**6): x = [x]\nrepr(x)", {"", "died", "time"}),
    "loop": ("while True: pass", {"time"}),
    "loop of C": ("sum(range(10**12))", {"time"}),
    "regular expression": ("re.match('(a+)+$', 'a' * 40 + 'b')", {"time"}),
    "large power": ("9 ** 9 ** 9", {"time", ""}),
    "sleep": ("time.sleep(1e6)", {"time"}),
    "caught everything": ("while True:\n  try:\n    while True: pass\n  except BaseException: pass", {"time"}),
    "deaf to signals": (
        "for s in range(1, 65):\n  try: signal.signal(s, signal.SIG_IGN)\n  except (OSError, ValueError): pass\n"
        "while True: pass",
        {"time"},
    ),
    "stopping itself": ("os.kill(os.getpid(), signal.SIGSTOP)", {"time"}),
    "threads": ("for i in range(10**6): threading.Thread(target=time.sleep, args=(99,)).start()", {"threads", ""}),
    "threads that stay": (
        "for i in range(20): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        {""},
    ),
    "one large file": ("f = open('x', 'wb')\nwhile True: f.write(bytes(1 << 20))", {"disk", ""}),
    "large files": (
        "i = 0\nwhile True:\n  i += 1\n  f = open(str(i), 'wb')\n  f.write(bytes(3 << 20)); f.close()",
        {"disk"},
    ),
    "small files": ("for i in range(10**6): open(str(i), 'w').close()", {"disk"}),
    "file kept open": ("x = [open(str(i), 'w') for i in range(100)]", {""}),
    "sparse file": ("f = open('x', 'wb'); f.seek(1 << 40); f.write(b'x')", {"", "disk"}),
    "preallocated file": ("os.posix_fallocate(os.open('x', 66), 0, 1 << 40)", {"", "disk"}),
    "output flood": ("while True: print('y' * 10**6)", {"time"}),
    "large value": ("'y' * 50_000_000", {""}),
    "large table": (
        "import pandas; pandas.DataFrame({str(i): ['y' * 9999] * 5000 for i in range(50)})",
        {"", "memory"},
    ),
    "large picture": (
        "from matplotlib import pyplot; pyplot.figure(figsize=(400, 400)); pyplot.plot([1])",
        {"", "time", "memory"},
    ),
    "large chart": (
        "import altair, pandas; altair.Chart(pandas.DataFrame({'a': ['y' * 2000] * 4000})).mark_bar()",
        {""},
    ),
    "crash": ("ctypes.string_at(0)", {"died"}),
    "abort": ("os.abort()", {"died"}),
    "exit": ("os._exit(0)", {"died"}),
    "polite exit": ("sys.exit('bye')", {""}),
    "killing itself": ("os.kill(os.getpid(), signal.SIGKILL)", {"memory"}),
    "processor signal": ("os.kill(os.getpid(), signal.SIGXCPU)", {"time"}),
    "closing all files": ("os.closerange(0, 1024)", {"died"}),
}

FIND = """
import stat
def is_channel(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
CHANNEL = next(filter(is_channel, range(3, 64)))
os.set_blocking(CHANNEL, True)
def say(text):
    body = text if isinstance(text, bytes) else text.encode()
    os.write(CHANNEL, struct.pack('>I', len(body)) + body)
EMPTY = {'prints': '', 'prints_left_out': 0, 'value': None, 'tables': [], 'charts': [], 'left_out': 0, 'error': None}
import json
def answer(**parts):
    say(json.dumps({'answer': {**EMPTY, **parts}}))
"""
# What is said on the channel itself, in the worker's place: each ends the worker.
LIES = {
    "longer than it may": "os.write(CHANNEL, b'\\xff\\xff\\xff\\xff' + b'y' * 100)",
    "longer than it says": "os.write(CHANNEL, b'\\0\\0\\0\\x02{}' + b'y' * 100)",
    "shorter than it says": "os.write(CHANNEL, b'\\0\\0\\0\\xff{}'); time.sleep(99)",
    "half a length": "os.write(CHANNEL, b'\\0\\0'); os._exit(0)",
    "a flood": "while True: os.write(CHANNEL, b'\\0' + b'y' * 65536)",
    "no JSON": "say('{'); time.sleep(99)",
    "no text": "say(b'\\xff\\xfe\\0'); time.sleep(99)",
    "nothing": "say(''); time.sleep(99)",
    "a list": "say('[]'); time.sleep(99)",
    "nested without end": "say('{\"answer\":' + '[' * 200000 + ']' * 200000 + '}'); time.sleep(99)",
    "nested": "say('{\"answer\":' + '[' * 500 + ']' * 500 + '}'); time.sleep(99)",
    "a long number": "say('{\"answer\":' + '9' * 100000 + '}'); time.sleep(99)",
    "a failure of no kind": 'say(\'{"failed": "x"}\'); time.sleep(99)',
    "other keys": 'say(\'{"answer": {}, "x": 1}\'); time.sleep(99)',
    "no answer": "say('{\"answer\": {}}'); time.sleep(99)",
    "prints that are no text": "answer(prints=5); time.sleep(99)",
    "an error that is no error": "answer(error={'type': 1}); time.sleep(99)",
    "a picture that is none": "answer(charts=[{'kind': 'png', 'base64': 'PHN2Zz4='}]); time.sleep(99)",
    "a picture that is no text": "answer(charts=[{'kind': 'png', 'base64': '!'}]); time.sleep(99)",
    "a chart of another kind": "answer(charts=[{'kind': 'html', 'spec': {}}]); time.sleep(99)",
    "a chart that is a list": "answer(charts=[{'kind': 'vega', 'spec': []}]); time.sleep(99)",
    "too many charts": "answer(charts=[{'kind': 'vega', 'spec': {}}] * 50); time.sleep(99)",
    "too many rows": """
        answer(tables=[{'columns': [], 'rows': [[]] * 1001, 'count': 1, 'columns_count': 0}])
        time.sleep(99)""",
    "rows of another width": """
        answer(tables=[{'columns': [], 'rows': [[1]], 'count': 1, 'columns_count': 0}])
        time.sleep(99)""",
    "cells that are objects": """
        answer(tables=[{'columns': [{'name': 'a', 'type': 'b'}], 'rows': [[{}]], 'count': 1, 'columns_count': 1}])
        time.sleep(99)""",
    "a count below nothing": "answer(prints_left_out=-1); time.sleep(99)",
}

QUIET = {
    f"{group}: {name}": dedent(code)
    for group, attacks in (
        ("reading", READING),
        ("environment", ENVIRONMENT),
        ("network", NETWORK),
        ("writing", WRITING),
        ("processes", PROCESSES),
    )
    for name, code in attacks.items()
}


@dataclass(frozen=True, slots=True)
class Canaries:
    """``secret`` is what no program may say; ``names`` what it is given."""

    secret: str
    folder: Path
    names: Mapping[str, str | int]
    heard: list[str]

    def program(self, code: str) -> str:
        given = "\n".join(f"{name} = {value!r}" for name, value in self.names.items())
        return f"{PRELUDE}\n{given}\n{code}"

    def state(self) -> dict[str, tuple[int, int, float]]:
        """Of every file: its size, mode and time."""
        found = sorted(self.folder.rglob("*"))
        return {str(one): (one.stat().st_size, one.stat().st_mode, one.stat().st_mtime) for one in found}


# Left out where nothing protects: what it would leave behind is outside of the canaries' folder.
NOT_LOOSE = (
    "writing: a new library",
    "writing: empty a library while reading",
    "writing: shared memory",
    "writing: own killer score",
    "processes: more files",
    "processes: outliving the parent",
)
ATTACKS_OF_A_WORKER = 8
ROLE = Role(memory=160 << 20, seconds=1.0, file_bytes=4 << 20, folder_bytes=16 << 20)


def listen(kind: int, family: int, address: object) -> socket.socket:
    one = socket.socket(family, kind)
    one.bind(address)  # type: ignore[arg-type]
    if kind == socket.SOCK_STREAM:
        one.listen(64)
    return one


def place(folder: Path, other: Path, secret: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for one in (folder, other, folder / "empty"):
        one.mkdir(parents=True, exist_ok=True)
        one.chmod(0o777)
    (folder / "file.txt").write_text(f"{secret}\n", encoding="utf-8")
    (folder / f"{secret}.name").touch()
    (folder / "file.txt.csv").write_text(f"a\n{secret}\n", encoding="utf-8")
    (folder / "canary.py").write_text(f"found = {secret!r}\n", encoding="utf-8")
    (folder / "pickle").write_bytes(pickle.dumps(secret))
    (other / "table.csv").write_text(secret, encoding="utf-8")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", secret)
    (folder / "zip").write_bytes(packed.getvalue())
    with contextlib.closing(sqlite3.connect(folder / "database")) as database:
        database.execute("create table t (a)")
        database.execute("insert into t values (?)", (secret,))
        database.commit()
    for one in (*folder.iterdir(), other / "table.csv"):
        one.chmod(0o666 if one.is_file() else 0o777)


@contextlib.contextmanager
def canaries(root: Path, secret: str, memory: int) -> Iterator[Canaries]:
    """``memory`` is where in this process a secret lies."""
    folder, other = root / "canaries", root / "other"
    unix, abstract = str(root / "unix"), f"canary-{os.getpid()}-{id(root)}"
    listeners = {
        "TCP": listen(socket.SOCK_STREAM, socket.AF_INET, ("127.0.0.1", 0)),
        "UDP": listen(socket.SOCK_DGRAM, socket.AF_INET, ("127.0.0.1", 0)),
        "unix": listen(socket.SOCK_STREAM, socket.AF_UNIX, unix),
        "abstract": listen(socket.SOCK_STREAM, socket.AF_UNIX, f"\0{abstract}"),
    }
    os.chmod(unix, 0o777)
    place(folder, other, secret)
    names: dict[str, str | int] = {
        "ABSTRACT": abstract,
        "APP": os.getpid(),
        "DATABASE": str(folder / "database"),
        "DIR": str(folder),
        "FILE": str(folder / "file.txt"),
        "NAME": "file.txt",
        "OTHER": str(other),
        "PICKLE": str(folder / "pickle"),
        "ROOT": str(Path(__file__).parents[2]),
        "SCRIPT": str(folder / "canary.py"),
        "SECRET_AT": memory,
        "TCP": listeners["TCP"].getsockname()[1],
        "UDP": listeners["UDP"].getsockname()[1],
        "UNIX": unix,
        "ZIP": str(folder / "zip"),
    }
    heard: list[str] = []
    done = threading.Event()
    listening = threading.Thread(target=answer_and_note, args=(listeners, heard, done))
    listening.start()
    try:
        yield Canaries(secret, folder, names, heard)
    finally:
        done.set()
        listening.join()
        for one in listeners.values():
            one.close()


def answer_and_note(listeners: Mapping[str, socket.socket], heard: list[str], done: threading.Event) -> None:
    while not done.is_set():
        ready, _, _ = select.select(list(listeners.values()), [], [], 0.05)
        for name, one in listeners.items():
            if one in ready:
                heard.append(name)
                if one.type == socket.SOCK_DGRAM:
                    one.recv(99)
                else:
                    connection = one.accept()[0]
                    connection.close()


class InSession:
    """Programs are run as the ``python`` tool runs them; some share a worker."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self._session = sandbox.session(folder, ROLE)
        self._count = 0

    def run(self, code: str) -> str:
        """Whatever comes of it, as text. Raises ``WorkerKilled``."""
        if self._count % ATTACKS_OF_A_WORKER == 0:
            self._session.close()
        self._count += 1
        return json.dumps(self._session.call({"kind": "python", "code": code}))

    def user(self) -> int:
        return int(self._session.call({"kind": "python", "code": "import os; os.getuid()"})["value"])


class AsPage:
    """Programs are web pages that have taken over the parser which reads them (see ``exploited_zygote``)."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def run(self, code: str) -> str:
        """The text of the document; "" where there is none."""
        page = Fetched("https://page.example/", "text/html", "utf-8", code.encode())
        try:
            return read_document(page, self._sandbox, 1.0).text
        except ToolFailed:
            return ""

    def user(self) -> int:
        return int(self.run("import os; print(os.getuid())"))


def quiet_hits(folder: Path, way: InSession | AsPage, names: list[str]) -> dict[str, list[str]]:
    """Run each attack; which of the canaries it touched."""
    import pandas

    table = folder / "sales.parquet"
    pandas.DataFrame({"a": [1, 2]}).to_parquet(table)
    table.chmod(0o666)
    secret = f"CANARY-{uuid4().hex}"
    os.environ["SANDBOX_CANARY"] = secret
    memory = ctypes.create_string_buffer(secret.encode("ascii"))
    with canaries(folder.parent, secret, ctypes.addressof(memory)) as placed:
        hits = {name: one_attack(way, placed, table, QUIET[name]) for name in names}
    del os.environ["SANDBOX_CANARY"]
    return {name: touched for name, touched in hits.items() if touched}


def one_attack(way: InSession | AsPage, placed: Canaries, table: Path, code: str) -> list[str]:
    rows, before = table.read_bytes(), placed.state()
    placed.heard.clear()
    program = placed.program(f"TABLE = {str(table)!r}\n{code}")
    touched: list[str] = []
    try:
        said = way.run(program)
        touched += ["said the secret"] if placed.secret in said else []
        touched += ["did it"] if "HIT!" in said else []
    except WorkerKilled:
        pass
    touched += [f"reached {one}" for one in placed.heard]
    if placed.state() != before:
        touched.append("changed the canaries")
        place(placed.folder, placed.folder.parent / "other", placed.secret)
    if list(table.parent.iterdir()) != [table] or table.read_bytes() != rows:
        touched.append("changed the tables")
        for one in table.parent.iterdir():
            one.unlink()
        table.write_bytes(rows)
    return touched


def main() -> None:
    """In a process of its own, maybe of another user: the visitor's folder, the zygote, and names left out."""
    folder, zygote, left_out = Path(sys.argv[1]), Path(sys.argv[2] or ZYGOTE), json.loads(sys.argv[3])
    folder.mkdir()
    sandbox = Sandbox(zygote=zygote)
    try:
        off = sandbox.available(180)
        names = [name for name in QUIET if name not in left_out]
        way = AsPage(sandbox) if "exploited" in zygote.name else InSession(sandbox, folder)
        hits = {} if off else quiet_hits(folder, way, names)
        print(json.dumps({"off": off, "tried": len(names), "hits": hits, "worker": way.user()}))
    finally:
        sandbox.close()


if __name__ == "__main__":
    main()
