"""A PingAM server as its clients see it, for tests: journeys, device binding, sessions, devices.

Written from descriptions of the protocol alone. It shares no code with the client that it tests, and is strict: an answer must be what was
asked, byte for byte, with nothing changed but the values of inputs. What is wrong is said in the message of a 400.

Everybody is a user, and NAME's password is "NAME's password". What the trees do stands in `trees.py`.

Prints its port, serves on the loopback address, and ends when its standard input does.
"""

import json
import os
import secrets
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True

from messages import Wrong, compact, parse  # noqa: E402
from trees import Journey, LoginFailure, SessionTimeout, devices, lock, universal_id  # noqa: E402

COOKIE = "iPlanetDirectoryPro"

pending = {}  # authId -> journey under way, and its page
suspended = {}  # the link's id -> journey
sent_away = set()  # authIds that were answered while the server was busy
sessions = {}  # token -> user name


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, cookies=()):
        data = compact(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json;charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        for cookie in cookies:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, message, **more):
        reason = {
            400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests",
            500: "Internal Server Error",
        }[status]
        self.answer(status, {"code": status, "reason": reason, "message": message, **more})

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        try:
            self.route(url.path, query, body)
        except Wrong as wrong:
            self.refuse(400, str(wrong))
        except LoginFailure:
            self.refuse(401, "Login failure")
        except SessionTimeout:
            self.refuse(401, "Session has timed out", detail={"errorCode": "110"})
        except RuntimeError as error:
            self.refuse(500, str(error))

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def route(self, path, query, body):
        prefix = "/am/json/realms/alpha/"
        if not path.startswith(prefix):
            return self.refuse(404, "no such realm")
        if not self.headers.get("x-requested-with"):
            raise Wrong("x-requested-with")
        path = path[len(prefix):]
        if path == "authenticate":
            return self.authenticate(query, body)
        if path == "sessions":
            return self.session(query, body)
        return self.device(path, query, body)

    def expect(self, method, version):
        if self.command != method or self.headers.get("Accept-API-Version") != version:
            raise Wrong(f"{self.command} with {self.headers.get('Accept-API-Version')}")
        if method != "GET" and method != "DELETE" and self.headers.get("Content-Type") != "application/json":
            raise Wrong("Content-Type")

    def authenticate(self, query, body):
        self.expect("POST", "resource=2.1, protocol=1.0")
        cookies, values = [], None
        if body == b"{}":
            if query.get("authIndexType") != "service":
                raise Wrong("authIndexType")
            journey = Journey(query["authIndexValue"], query)
            cookies = ["amlbcookie=01; Path=/; HttpOnly"]
        elif "suspendedId" in query:
            if body or set(query) != {"suspendedId"}:
                raise Wrong("more than a link's id")
            journey = self.take(suspended, query["suspendedId"])
        else:
            if "amlbcookie=01" not in (self.headers.get("Cookie") or ""):
                raise Wrong("the balancer's cookie was not kept")
            answer = parse(body)
            if self.is_busy(answer.get("authId")):
                return self.refuse(429, "Too many requests")
            journey, sent = self.take(pending, answer.get("authId"))
            options = {name: str(value).lower() for name, value in journey.options.items()}
            if query != options:
                raise Wrong(f"not started with {query}")
            values = self.values(answer, sent, body)
        try:
            page = journey.pages.send(values)
        except StopIteration:
            return self.succeed(journey, cookies)
        auth_id = journey.auth_id()
        if page[0]["type"] == "SuspendedTextOutputCallback":
            with lock:
                suspended[journey.suspended_id] = journey
        with lock:
            pending[auth_id] = (journey, page)
        self.answer(
            200, {
                "authId": auth_id, "callbacks": page, "stage": journey.stage, "header": "Night Bank",
                "description": "Please answer",
            }, cookies)

    @staticmethod
    def take(journeys, name):
        """What waits under a name, which is used up."""
        with lock:
            journey = journeys.pop(name, None)
        if journey is None:
            raise LoginFailure
        return journey

    @staticmethod
    def is_busy(auth_id):
        """Whether a gateway before the server sends a request away: the first answer to each step of a tree that is called so."""
        with lock:
            journey, _ = pending.get(auth_id, (None, None))
            if journey is None or "busy" not in journey.tree or auth_id in sent_away:
                return False
            sent_away.add(auth_id)
            return True

    @staticmethod
    def values(answer, sent, body):
        values = []
        expected = json.loads(compact(sent))
        if len(answer.get("callbacks", [])) != len(expected):
            raise Wrong("callbacks are missing")
        for mine, theirs in zip(expected, answer["callbacks"]):
            for my_input, their_input in zip(mine.get("input", []), theirs.get("input", [])):
                my_input["value"] = their_input["value"]
                values.append(their_input["value"])
        if compact({"authId": answer["authId"], "callbacks": expected}).encode() != body:
            raise Wrong("callbacks were changed: " + body.decode())
        return values

    def succeed(self, journey, cookies):
        answer = {"successUrl": "/enduser/?realm=/alpha", "realm": "/alpha"}
        if journey.is_tokenless:
            answer = {"tokenId": "", **answer}
        elif not journey.options["noSession"]:
            token = secrets.token_urlsafe(32) + ".*AAJTSQ*"
            sessions[token] = journey.user
            answer = {"tokenId": token, **answer}
        self.answer(200, answer, cookies)

    def user(self):
        user = sessions.get(self.headers.get(COOKIE))
        if user is None:
            raise LoginFailure
        return user

    def session(self, query, body):
        if query.get("_action") == "logout":
            self.expect("POST", "resource=3.1, protocol=1.0")
            self.user()
            del sessions[self.headers[COOKIE]]
            return self.answer(200, {"result": "Successfully logged out"})
        self.expect("POST", "resource=2.1")
        user = self.user()
        return self.answer(200, {
            "username": user, "universalId": universal_id(user), "realm": "/alpha",
            "latestAccessTime": "2026-01-01T00:00:00Z", "maxIdleExpirationTime": "2026-01-01T00:30:00Z",
            "maxSessionExpirationTime": "2026-01-01T02:00:00Z"})

    def device(self, path, query, body):
        user = self.user()
        base = f"users/{user}/devices/2fa/binding"
        records = devices.setdefault(universal_id(user), [])
        if path == base:
            self.expect("GET", "resource=1.0")
            if query != {"_queryFilter": "true"}:
                raise Wrong("query")
            return self.answer(200, {
                "result": records, "resultCount": len(records), "pagedResultsCookie": None,
                "totalPagedResultsPolicy": "NONE", "totalPagedResults": -1, "remainingPagedResults": -1})
        identity = path.removeprefix(base + "/")
        record = next((record for record in records if record["_id"] == identity), None)
        if record is None:
            return self.refuse(404, "Not found")
        if self.command == "DELETE":
            self.expect("DELETE", "resource=1.0")
            records.remove(record)
            return self.answer(200, record)
        self.expect("PUT", "resource=1.0")
        changed = parse(body)
        if compact({**record, "deviceName": changed["deviceName"]}).encode() != body:
            raise Wrong("more than the name was changed")
        record["deviceName"] = changed["deviceName"]
        shown = {name: value for name, value in record.items() if name != "deviceManagementStatus"}
        return self.answer(200, {**shown, "recoveryCodes": []})


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


main()
