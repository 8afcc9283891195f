"""A person with a session of a journey, who opens addresses as a browser does and is sent on to an app.

Written only from docs/journeys.md. `Header` is a plain HTTP client, `Chromium` a real browser. A person without a
session is `Page` of `login_page.py`.
"""

import html.parser
import http.server
import json
import queue
import shutil
import threading
import urllib.parse

import requests
from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

# The time limit for one request and for one page on a busy machine.
WAIT_SECONDS = 300


class Settings:
    """The server, the user and the apps, from a file that the caller of the program writes."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
        self.issuer, self.journeys, self.cookie = values["issuer"], values["journeys"], values["cookie"]
        self.user, self.password = values["user"], values["password"]
        self.apps = values["apps"]
        self.command, self.backend_key_file, self.port = values["command"], values["backend_key_file"], values["port"]

    def log_in(self):
        """Walks the journey `login`. Returns the session's token."""
        query = {"authIndexType": "service", "authIndexValue": "login"}
        question = self.step(query, {})
        for callback, answer in zip(question["callbacks"], (self.user, self.password), strict=True):
            callback["input"][0]["value"] = answer
        return self.step({}, question)["tokenId"]

    def step(self, query, body):
        answer = requests.post(f"{self.journeys}/authenticate", params=query, json=body, timeout=WAIT_SECONDS)
        answer.raise_for_status()
        return answer.json()


class Form(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, page):
        super().__init__()
        self.method, self.action, self.fields = None, None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "form":
            self.method, self.action = found["method"], found["action"]
        elif tag == "input":
            self.fields[found["name"]] = found["value"]


class Marked(html.parser.HTMLParser):
    """The texts of a page's paragraphs with an id."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.id = {}, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.id = dict(attributes).get("id") if tag == "p" else None

    def handle_endtag(self, tag):
        self.id = None

    def handle_data(self, data):
        if self.id:
            self.texts[self.id] = self.texts.get(self.id, "") + data


class Landing:
    """A listener at an app's redirect URI. It receives one answer at a time, by query or by form. It also serves the
    page that the app shows after a logout."""

    def __init__(self, port):
        arrived = self.arrived = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.land(urllib.parse.urlsplit(self.path).query, "query")

            def do_POST(self):
                self.land(self.rfile.read(int(self.headers["Content-Length"])).decode(), "form_post")

            def land(self, text, mode):
                path = urllib.parse.urlsplit(self.path).path
                if path not in ("/callback", "/goodbye.html"):
                    return self.send_error(404)
                page = b"<!DOCTYPE html><title>Landed</title><h1>Landed</h1>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
                if path == "/callback":
                    arrived.put((mode, dict(urllib.parse.parse_qsl(text, strict_parsing=True))))

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.uri, self.goodbye = (f"http://127.0.0.1:{port}/{page}" for page in ("callback", "goodbye.html"))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Session:
    """A session that a journey has begun."""

    def __init__(self, settings):
        self.headers = {settings.cookie: settings.log_in()}

    def get(self, url):
        """Sends one request with the session's token in a header."""
        return requests.get(url, headers=self.headers, allow_redirects=False, timeout=WAIT_SECONDS)


class Header:
    """Sends the session's token in a header to the server alone."""

    name = "header"

    def __init__(self, settings, landing=None):
        self.landing, self.issuer, self.session = landing, settings.issuer, Session(settings)
        # Has the cookies of apps.
        self.jar = requests.Session()

    def answer(self, url):
        """Opens an authorization URL. Returns how the app's answer is sent, and its parameters."""
        found = self.session.get(url)
        if found.status_code == 302:
            target, _, query = found.headers["Location"].partition("?")
            mode, parameters = "query", dict(urllib.parse.parse_qsl(query, strict_parsing=True))
        else:
            found.raise_for_status()
            form = Form(found.text)
            assert form.method == "post", found.text
            mode, target, parameters = "form_post", form.action, form.fields
        assert target == self.landing.uri, f"sent to {target}, not to {self.landing.uri}"
        return mode, parameters

    def read(self, url):
        """Opens a page of an app, and follows redirects and forms. Returns the texts of its marked paragraphs."""
        method, fields = "get", None
        for _ in range(10):
            found = self.jar.request(
                method, url, data=fields, headers=self.session.headers if url.startswith(self.issuer + "/") else {},
                allow_redirects=False, timeout=WAIT_SECONDS)
            form = Form(found.text)
            if "Location" in found.headers:
                method, url, fields = "get", urllib.parse.urljoin(url, found.headers["Location"]), None
            elif form.action:
                method, url, fields = form.method, form.action, form.fields
            else:
                return Marked(found.text).texts
        raise AssertionError(f"more than ten redirects, at last to {url}")

    def close(self):
        self.jar.close()


class Window:
    """A window of a real browser."""

    def __init__(self, landing):
        self.landing = landing
        options = webdriver.ChromeOptions()
        # Tests may run as root, which Chromium's sandbox refuses, and with little shared memory.
        for flag in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]:
            options.add_argument(flag)
        if chromium := shutil.which("chromium"):
            options.binary_location = chromium
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(WAIT_SECONDS)

    def open(self, url):
        self.driver.get(url)

    def answer(self, url):
        """Opens an authorization URL. Returns how the app's answer is sent, and its parameters."""
        self.open(url)
        return self.landing.arrived.get(timeout=WAIT_SECONDS)

    def read(self, url):
        """Opens a page of an app. Returns the texts of its marked paragraphs."""
        self.open(url)
        # A page that sends a form may still be shown.
        return WebDriverWait(self.driver, WAIT_SECONDS, 0.05).until(lambda driver: Marked(driver.page_source).texts)

    def close(self):
        self.driver.quit()


class Chromium(Window):
    """A real browser that sends the session's token in a header of all its requests, those to apps included.

    The cookie would not do: the server ignores it in a request that another site or the address bar begins.
    """

    name = "chromium"

    def __init__(self, settings, landing=None):
        self.session = Session(settings)
        super().__init__(landing)
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": self.session.headers})
