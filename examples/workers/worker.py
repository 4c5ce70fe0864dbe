"""A worker of `stator mcp --workers`: takes tasks of the tool "shout" and does them.

    python3 worker.py http://127.0.0.1:8080 [TOKEN]
"""

import json
import os
import socket
import sys
import threading
import urllib.error
import urllib.request

server, token = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
name = f"{socket.gethostname()}-{os.getpid()}"


def post(what, **body):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(f"{server}/workers/{what}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.loads(answer.read() or b"null")


def beat(claim, stop):
    while not stop.wait(5):
        post("heartbeat", claim=claim)  # Ends with an error when the task is not ours any more.


while True:
    task = post("claim", worker=name, tools=["shout"], leaseSeconds=15, waitSeconds=30)
    if task is None:
        continue
    stop = threading.Event()
    threading.Thread(target=beat, args=(task["claim"], stop), daemon=True).start()
    try:
        post("complete", claim=task["claim"], text=task["arguments"]["text"].upper())
    except urllib.error.HTTPError as refused:
        print(task["taskId"], refused.read().decode(), file=sys.stderr)
    except Exception as problem:  # The task is tried again, if its tool may be.
        post("fail", claim=task["claim"], message=str(problem))
    finally:
        stop.set()
