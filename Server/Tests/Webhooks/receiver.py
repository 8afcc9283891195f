"""A receiver of Nightlatch's webhooks, as another team would write it from docs/webhooks.md.

    receiver.py FOLDER PORT [RATE]

It reads the keys of its paths from `FOLDER/keys.json`: `{"/path": ["whsec_…" or "whpk_…", …]}`. It checks the signature
of each message, and applies each event once: it appends the event to `FOLDER/effects` and syncs the file before it
answers. It finds the ids of earlier events in the file, so it can be killed and started again at any moment.

The words in `FOLDER/mode`, if there is such a file, are the answers to the attempts of each event in turn; after the
last word, or without the file, it accepts. With RATE it answers so many of 1,000 requests with a random fault.

Everything that must not happen is a line in `FOLDER/faults`: a wrong signature, an old timestamp, a request at another
path, two bodies with one id.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import random
import socket
import struct
import sys
import threading
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FOLDER, PORT = sys.argv[1], int(sys.argv[2])
RATE = int(sys.argv[3]) if len(sys.argv) > 3 else 0
# The time that docs/webhooks.md recommends, in seconds.
TOLERANCE = 300
# Longer than the sender waits for an answer.
HANG_SECONDS = 15


def is_signed(keys, message_id, timestamp, header, body):
    """Whether one of the signatures is by one of the keys."""
    content = f"{message_id}.{timestamp}.".encode() + body
    for key in keys:
        secret = base64.b64decode(key.split("_", 1)[1], validate=True)
        for element in header.split(" "):
            version, _, text = element.partition(",")
            signature = base64.b64decode(text, validate=True)
            if version == "v1" and key.startswith("whsec_"):
                if hmac.compare_digest(hmac.new(secret, content, hashlib.sha256).digest(), signature):
                    return True
            elif version == "v1a" and key.startswith("whpk_"):
                try:
                    Ed25519PublicKey.from_public_bytes(secret).verify(signature, content)
                    return True
                except InvalidSignature:
                    pass
    return False


class Effects:
    """The events that were applied, in a file."""

    def __init__(self):
        self.lock = threading.Lock()
        self.applied, self.attempts = set(), {}
        path = f"{FOLDER}/effects"
        if os.path.exists(path):
            with open(path, "rb+") as file:
                content = file.read()
                # A line that a kill has cut off was not answered, so the event comes again.
                whole = content[:content.rfind(b"\n") + 1]
                file.truncate(len(whole))
            for line in whole.splitlines():
                effect = json.loads(line)
                self.applied.add((effect["path"], effect["id"]))
        self.file = open(path, "ab")
        self.faults = open(f"{FOLDER}/faults", "a", encoding="utf-8", buffering=1)

    def note_fault(self, text):
        with self.lock:
            self.faults.write(text + "\n")

    def next_attempt(self, path, message_id):
        with self.lock:
            count = self.attempts.get((path, message_id), 0)
            self.attempts[(path, message_id)] = count + 1
            return count

    def apply(self, path, message_id, signatures, body):
        with self.lock:
            if (path, message_id) in self.applied:
                return
            effect = {"path": path, "id": message_id, "signatures": signatures, "event": json.loads(body)}
            self.file.write(json.dumps(effect).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
            self.applied.add((path, message_id))


EFFECTS = Effects()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with open(f"{FOLDER}/keys.json", encoding="utf-8") as file:
            keys = json.load(file).get(self.path)
        if keys is None:
            EFFECTS.note_fault(f"a request at {self.path}")
            return self.answer(404)
        message_id, timestamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signatures = self.headers["webhook-signature"]
        if not is_signed(keys, message_id, timestamp, signatures, body):
            EFFECTS.note_fault(f"a wrong signature of {message_id}")
            return self.answer(401)
        if abs(time.time() - int(timestamp)) > TOLERANCE:
            EFFECTS.note_fault(f"an old timestamp of {message_id}")
            return self.answer(400)
        fault = self.fault(EFFECTS.next_attempt(self.path, message_id))
        if fault == "accept_late":
            # The event has its effect, but the sender does not learn of it.
            EFFECTS.apply(self.path, message_id, signatures, body)
            return self.reset()
        if fault == "slow":
            EFFECTS.apply(self.path, message_id, signatures, body)
            return self.answer_slowly()
        if fault == "unexpected":
            EFFECTS.note_fault(f"one attempt too many of {message_id}")
        elif fault:
            return self.fail(fault)
        EFFECTS.apply(self.path, message_id, signatures, body)
        self.answer(204)

    def fault(self, attempt):
        try:
            with open(f"{FOLDER}/mode", encoding="utf-8") as file:
                words = file.read().split()
        except FileNotFoundError:
            words = []
        if attempt < len(words):
            return words[attempt] if words[attempt] != "accept" else None
        if random.randrange(1000) < RATE:
            return random.choice(["500", "302", "reset", "huge", "accept_late"])
        return None

    def fail(self, fault):
        if fault == "reset":
            return self.reset()
        if fault == "hang":
            time.sleep(HANG_SECONDS)
            return self.reset()
        if fault == "huge":
            return self.answer(503, bytes(8 << 20))
        self.answer(int(fault), location="/elsewhere" if fault.startswith("3") else None)

    def reset(self):
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def answer(self, status, body=b"", location=None):
        try:
            self.send_response(status)
            if location:
                self.send_header("location", location)
            if status != 204:
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # The sender has closed the connection.
            self.close_connection = True

    def answer_slowly(self):
        self.send_response(200)
        self.send_header("content-length", "9")
        self.end_headers()
        self.wfile.flush()
        time.sleep(HANG_SECONDS)
        self.reset()

    def finish(self):
        try:
            super().finish()
        except (OSError, ValueError):
            pass

    def do_GET(self):
        EFFECTS.note_fault(f"a GET of {self.path}")
        self.answer(404)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # Connections that the handler has reset end with an error.
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", PORT), Handler)
    print("listening", flush=True)
    server.serve_forever()
