"""HTTP/1.1 and cookies as the networking libraries of Ping's SDKs write and read them.

`send` writes exactly the headers and the bytes that it is given, in their order, and follows no redirect.
"""

import email.utils
import gzip
import http.client
import json
import time
import urllib.parse

# A limit for busy machines. The SDKs themselves wait 15 to 60 seconds.
WAIT_SECONDS = 60


class Answer:
    """An answer of the server: status, headers in their order, and body."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def all(self, name):
        """Returns the values of every header of this name."""
        return [value for header, value in self.headers if header.lower() == name.lower()]

    def header(self, name):
        """Returns the value of the first header of this name, or None."""
        return next(iter(self.all(name)), None)

    def json(self):
        """Returns the body's JSON, or None if the body is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def object(self):
        """Returns the body's JSON object. If the body is something else, returns an empty object."""
        found = self.json()
        return found if isinstance(found, dict) else {}

    def __str__(self):
        parts = [str(self.status)]
        for name in ("Location", "Set-Cookie"):
            parts += [f"{name}: {value}" for value in self.all(name)]
        text = self.body.decode("utf-8", "replace").replace("\n", " ")
        parts.append((text if len(text) <= 300 else text[:300] + " …") or "an empty body")
        return ", ".join(parts)


def send(method, url, headers, body=None):
    """Sends one request on a connection of its own and returns the answer.

    `headers` are pairs. `Host` is added before them, and `Content-Length` after them if there is a body or if the
    method is POST or PUT, as all the libraries do.
    """
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=WAIT_SECONDS)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", parts.netloc)
        for name, value in headers:
            connection.putheader(name, value)
        if body is not None or method in ("POST", "PUT"):
            connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body or None)
        response = connection.getresponse()
        content = response.read()
        if response.headers.get("Content-Encoding", "").lower() == "gzip":
            content = gzip.decompress(content)
        return Answer(response.status, response.getheaders(), content)
    finally:
        connection.close()


class Cookie:
    """A cookie of a `Set-Cookie` header."""

    def __init__(self, line, url):
        parts = urllib.parse.urlsplit(url)
        first, *attributes = line.split(";")
        self.name, _, self.value = first.strip().partition("=")
        found = {}
        for attribute in attributes:
            name, _, value = attribute.strip().partition("=")
            found[name.lower()] = value.strip()
        self.attributes = found
        self.domain = found.get("domain", "").lstrip(".").lower() or parts.hostname
        self.host_only = not found.get("domain")
        path = found.get("path", "")
        self.path = path if path.startswith("/") else parts.path.rpartition("/")[0] or "/"
        self.secure = "secure" in found
        self.ends = None
        if "max-age" in found:
            self.ends = time.time() + int(found["max-age"])
        elif "expires" in found:
            self.ends = email.utils.parsedate_to_datetime(found["expires"]).timestamp()

    def expired(self):
        return self.ends is not None and self.ends <= time.time()

    def is_for(self, url):
        """Whether a request to this address carries the cookie."""
        parts = urllib.parse.urlsplit(url)
        host, path = parts.hostname, parts.path or "/"
        at_host = host == self.domain or (not self.host_only and host.endswith("." + self.domain))
        at_path = path == self.path or path.startswith(self.path if self.path.endswith("/") else self.path + "/")
        return at_host and at_path and not self.expired() and (not self.secure or parts.scheme == "https")


class CookieStore:
    """The cookies of one app.

    OkHttp and Foundation keep cookies under name, domain and path, forgerock-ios under name and domain
    (`by_path` is false).
    """

    def __init__(self, by_path=True):
        self.by_path = by_path
        self.cookies = {}

    def copy(self):
        other = CookieStore(self.by_path)
        other.cookies = dict(self.cookies)
        return other

    def store(self, url, answer):
        """Keeps the cookies of an answer. An expired one deletes the one with the same key."""
        for line in answer.all("Set-Cookie"):
            cookie = Cookie(line, url)
            key = (cookie.name, cookie.domain) + ((cookie.path,) if self.by_path else ())
            self.cookies.pop(key, None)
            if not cookie.expired():
                self.cookies[key] = cookie

    def header(self, url):
        """Returns the `Cookie` header of a request to this address, or None."""
        found = [f"{cookie.name}={cookie.value}" for cookie in self.cookies.values() if cookie.is_for(url)]
        return "; ".join(found) or None

    def value(self, name, url):
        """Returns the value of the cookie that a request to this address carries under the name, or None."""
        found = [cookie.value for cookie in self.cookies.values() if cookie.name == name and cookie.is_for(url)]
        return found[0] if len(found) == 1 else None

    def clear(self):
        self.cookies.clear()
