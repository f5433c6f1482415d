"""Asks for a page so many times: fetch-pages.py ADDRESS COUNT, or waits instead: fetch-pages.py --wait SECONDS COUNT."""

import http.client
import sys
import time
import urllib.parse

if sys.argv[1] == "--wait":
    for _ in range(int(sys.argv[3])):
        time.sleep(float(sys.argv[2]))
else:
    address = urllib.parse.urlsplit(sys.argv[1])
    connection = http.client.HTTPConnection(address.netloc)
    for _ in range(int(sys.argv[2])):
        connection.request("GET", f"{address.path}?{address.query}")
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200 or b"<table class=\"source\"" not in body:
            sys.exit(f"{answer.status} for {sys.argv[1]}")
