"""Requests pages that were not requested since the store changed, and fails if one has no source.

usage: fetch-pages.py STORE ADDRESS…      something is committed to the store first, so that no answer is kept
       fetch-pages.py --wait SECONDS N    waits so long N times instead
"""

import http.client
import sqlite3
import sys
import time
import urllib.parse

if sys.argv[1] == "--wait":
    for _ in range(int(sys.argv[3])):
        time.sleep(float(sys.argv[2]))
    sys.exit()

sqlite3.connect(sys.argv[1], isolation_level=None).execute("UPDATE project SET name = name")
connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[2]).netloc)
for text in sys.argv[2:]:
    address = urllib.parse.urlsplit(text)
    connection.request("GET", f"{address.path}?{address.query}")
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200 or b"<table class=\"source\"" not in body:
        sys.exit(f"{answer.status} for {text}")
