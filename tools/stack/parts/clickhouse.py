#!/usr/bin/env python3
"""Runs the ClickHouse library next to this file like the program: `clickhouse local …` and `clickhouse --version`."""
import ctypes
import os
import sys

VERSION = 'INSERT INTO FUNCTION file(stdout, LineAsString) SELECT version()'

folder = os.path.dirname(os.path.realpath(__file__))
library = ctypes.CDLL(os.path.join(folder, 'libchdb.so'))
given = [f'--query={VERSION}'] if sys.argv[1:] == ['--version'] else [it for it in sys.argv[1:] if it != 'local']
arguments = [os.fsencode(it) for it in ['clickhouse', *given]]
library.query_stable_v2(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
# Without the library's destructors, which fail after some queries.
os._exit(0)
