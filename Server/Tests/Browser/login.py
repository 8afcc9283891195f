"""Logs users in on the login page in a real browser, by mouse and by keyboard, wide and narrow, light and dark, with
scripts and without. The phone is a device in Python, which scans the page with zbar.

Usage: login.py URL LATER-URL BACKEND-KEY-FILE SCREENSHOT-FOLDER

URL is the relying party's, over a new database and without rate limits. LATER-URL is that of another process of it, on
the same host, whose clock is ahead by more than a login's life. Ends with status 0 and a line that says what was checked,
or with status 1 and the error.
"""

import hashlib
import html
import http.server
import os
import pathlib
import queue
import sys
import threading
import urllib.parse

from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "OpenAPI"))

import device as nightlatch  # noqa: E402
import scanner  # noqa: E402
from browser import WAIT_SECONDS, Browser  # noqa: E402

APP = "Bücher <b>&</b> mehr"


class App:
    """An app that sends its user to the relying party, and takes the answer at a loopback address."""

    def __init__(self, server):
        self.server = server
        self.answers = answers = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(urllib.parse.urlsplit(self.path).query)

            def do_POST(self):
                self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def answer(self, text):
                if self.path.startswith("/callback"):
                    answers.put((self.command, dict(urllib.parse.parse_qsl(text, strict_parsing=True))))
                page = "<!doctype html><title>App</title><main><h1>App</h1></main>"
                if self.path.startswith("/frame?"):
                    source = html.escape(urllib.parse.unquote(text))
                    page = page.replace("App</h1>", f'Frame</h1><iframe src="{source}"></iframe>')
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        self.port = site.server_port
        self.redirect_uri = f"http://127.0.0.1:{self.port}/callback"
        record = {"client_id": "books", "client_name": APP, "redirect_uris": ["http://127.0.0.1/callback"]}
        answer = server.post("/v1/apps/books", record, server.backend_headers)
        assert answer.status == 200, answer.body

    def address(self, **parameters):
        """Returns the address at which the user logs in."""
        self.state, self.verifier = nightlatch.encode(os.urandom(16)), nightlatch.encode(os.urandom(32))
        challenge = nightlatch.encode(hashlib.sha256(self.verifier.encode()).digest())
        fields = {
            "client_id": "books", "response_type": "code", "scope": "openid", "redirect_uri": self.redirect_uri,
            "state": self.state, "code_challenge": challenge, "code_challenge_method": "S256", **parameters}
        return "/oauth/authorize?" + urllib.parse.urlencode(fields)

    def frame(self, host, address):
        """Returns the address of a page of the app that has another page in a frame."""
        return f"http://{host}:{self.port}/frame?{urllib.parse.quote(address, safe='')}"

    def answer(self, method="GET"):
        """Waits for the answer."""
        used, fields = self.answers.get(timeout=WAIT_SECONDS)
        assert used == method, used
        assert fields["state"] == self.state and fields["iss"] == self.server.issuer, fields
        return fields

    def user(self, method="GET"):
        """Waits for the code, exchanges it, and returns the user."""
        fields = {
            "grant_type": "authorization_code", "code": self.answer(method)["code"], "client_id": "books",
            "redirect_uri": self.redirect_uri, "code_verifier": self.verifier}
        answer = self.server.form("/oauth/token", fields, {})
        assert answer.status == 200, answer.body
        token = answer.json()["access_token"]
        return self.server.call("GET", "/oauth/userinfo", {"Authorization": "Bearer " + token}).json()["sub"]


class Page(Browser):
    """The login page in a browser."""

    offered, waiting = "Scan the code with your phone", "Confirm on your phone"

    def number(self):
        return self.find(".number dd").text

    def scan(self):
        """Returns the text of the QR code in a picture of the window."""
        self.take_picture("scan", {"captureBeyondViewport": True})
        address, code = scanner.scan(self.screenshots / "scan.png").split("#")
        self.expect(address == self.url + "/login", f"the code leads to {address}")
        return code

    def prefer(self, languages):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": languages}})

    def forget(self):
        self.driver.delete_all_cookies()

    def path(self):
        """Returns the page's address below the server's."""
        return self.driver.current_url.removeprefix(self.url)

    def framed(self, address):
        """Opens a page with a frame. Returns the address of the document in the frame, its HTML, and the messages of
        the browser."""
        self.driver.get_log("browser")
        self.driver.get(address)
        self.expect_heading("Frame")
        self.driver.switch_to.frame(self.find("iframe"))
        found = self.driver.execute_script("return document.URL;"), self.driver.page_source
        self.driver.switch_to.default_content()
        return *found, " ".join(entry["message"] for entry in self.driver.get_log("browser"))


def confirm(phone, page, number=None):
    """The user finds the only login in the list, and enters the number."""
    logins = phone.remote_logins()
    assert len(logins) == 1 and logins[0]["details"]["app"] == APP, logins
    assert logins[0]["details"]["place"] == "127.0.0.1", logins
    answer = phone.decide_remote_login(logins[0], "confirm", number or page.number())
    assert answer.status == 200, answer.body
    return answer.json()["state"]


def scan_with_mouse(page, app, phone):
    """Scans the code, confirms, and is logged in at once by the next request, until it wants a new login."""
    for width, scheme in [(1280, "light"), (1280, "dark"), (360, "light"), (320, "dark")]:
        page.show(width, scheme)
        page.open(app.address())
        page.expect_heading(page.offered)
        page.check("offered")
        code = page.scan()
    assert phone.claim(code).status == 200
    page.expect_heading(page.waiting)
    page.check("waiting")
    assert confirm(phone, page) == "confirmed"
    page.expect_heading("App")
    assert app.user() == "alice"
    page.open(app.address())
    page.expect_heading("App")
    assert app.user() == "alice"
    page.open(app.address(prompt="login"))
    page.expect_heading(page.offered)


def enter_name_with_keyboard(page, app, phone):
    """By keyboard only: a refused name, a rejection, a wrong number, and back to the app."""
    page.show(1280, "light")
    page.open(app.address(prompt="login"))
    page.expect_heading(page.offered)
    page.tab_to("User name")
    page.type(" ", Keys.ENTER)
    page.wait(lambda: page.find("[role=alert]"), "no word of the mistake")
    page.check("name-refused")
    page.expect(page.focused().get_attribute("id") == "user", "the field has no focus")
    page.type("alice ", Keys.ENTER)
    page.expect_heading(page.waiting)
    page.tab_to("Does your phone show nothing?")
    page.type(Keys.ENTER)
    page.check("waiting-trouble")
    assert phone.decide_remote_login(phone.remote_logins()[0], "reject").status == 200
    page.expect_heading("The login was rejected")
    page.check("rejected")
    page.press("Try again", page.offered)
    page.tab_to("User name")
    page.type("alice", Keys.ENTER)
    page.expect_heading(page.waiting)
    assert confirm(phone, page, "00" if page.number() != "00" else "01") == "number_wrong"
    page.expect_heading("The number was wrong")
    page.show(320, "dark")
    page.check("number-wrong")
    page.press("Back to " + APP, "App")
    assert app.answer()["error"] == "access_denied"


def scan_twice(page, app, phone, other):
    """Two users scan the same code."""
    page.show(360, "light")
    page.open(app.address(prompt="login"))
    page.expect_heading(page.offered)
    code = page.scan()
    assert phone.claim(code).status == 200
    page.expect_heading(page.waiting)
    assert other.claim(code).status == 409
    page.expect_heading("Two people scanned the code")
    page.check("contested")
    assert phone.remote_logins() == []


def log_in_without_script(page, app, phone):
    """With scripts turned off, the waiting page loads itself again."""
    page.forget()
    page.allow_scripts(False)
    page.show(1280, "light")
    page.open(app.address(login_hint="alice"))
    page.expect(page.find("#user").get_attribute("value") == "alice", "the form has no name")
    page.find("section button").click()
    page.expect_heading(page.waiting)
    assert confirm(phone, page) == "confirmed"
    page.expect_heading("App")
    assert app.user() == "alice"
    page.allow_scripts(True)


def answer_by_form(page, app, phone):
    """The answers of `form_post`, which the policy of the page must let through."""
    page.open(app.address(prompt="login", response_mode="form_post"))
    page.expect_heading(page.offered)
    assert phone.claim(page.scan()).status == 200
    page.expect_heading(page.waiting)
    assert confirm(phone, page) == "confirmed"
    page.expect_heading("App")
    assert app.user("POST") == "alice"
    page.open(app.address(prompt="login", response_mode="form_post"))
    page.press("Back to " + APP, "App")
    assert app.answer("POST")["error"] == "access_denied"


def look_at_other_pages(page, app):
    for width, scheme in [(1280, "dark"), (320, "light")]:
        page.show(width, scheme)
        page.open("/login")
        page.expect_heading("Scan the code with the app")
        page.check("camera")
        page.open("/login?request=x")
        page.expect_heading("This page cannot continue")
        page.check("unknown")
    for language, offered, waiting in [
        ("de", "Code mit dem Handy scannen", "Auf dem Handy bestätigen"),
        ("fr", "Scannez le code avec votre téléphone", "Confirmez sur votre téléphone"),
    ]:
        page.prefer(language)
        page.show(320, "light")
        page.open(app.address(prompt="login", login_hint="nobody"))
        page.expect_heading(offered)
        page.check("offered-" + language)
        page.find("section button").click()
        page.expect_heading(waiting)
        page.check("waiting-" + language)
    page.prefer("en")


def look_at_ended_logins(page, app, server, later):
    """A login that was completed, one whose device was revoked after the user confirmed, and one that has expired.

    While the user decides, the browser shows another page. Otherwise the login page would continue by itself.
    """
    carol, dave = nightlatch.Device(server, "carol"), nightlatch.Device(server, "dave")

    def begin(device):
        page.show(1280, "light")
        page.open(app.address(prompt="login"))
        page.expect_heading(page.offered)
        code, number, path = page.scan(), page.number(), page.path()
        page.open("/login")
        page.expect_heading("Scan the code with the app")
        assert device.claim(code).status == 200
        return number, path

    def look(heading, address, name):
        for width, scheme in [(1280, "light"), (320, "dark")]:
            page.show(width, scheme)
            page.driver.get(address)
            page.expect_heading(heading)
            page.check(name)

    number, path = begin(carol)
    assert confirm(carol, page, number) == "confirmed"
    page.open(path)
    page.expect_heading("App")
    assert app.user() == "carol"
    look("This login is already complete", page.url + path, "completed")
    number, path = begin(dave)
    assert confirm(dave, page, number) == "confirmed"
    assert dave.revoke().status == 200
    look("The phone can no longer be used", page.url + path, "device-stopped")
    number, path = begin(carol)
    look("The login has expired", later + path, "expired")


def frame(page, app):
    """Pages of another origin and of another site have the login page in a frame, and Chromium shows nothing of it."""
    page.open(app.address(prompt="login"))
    page.expect_heading(page.offered)
    login = page.url + page.path()
    for host in ("127.0.0.1", "localhost"):
        address, source, _ = page.framed(app.frame(host, f"http://{host}:{app.port}/"))
        page.expect("App" in source, f"a page that permits frames is not shown in one: {address} {source}")
        for target in (login, page.url + "/login"):
            address, source, messages = page.framed(app.frame(host, target))
            page.expect(address.startswith("chrome-error:"), f"the frame shows {address}")
            page.expect("frame-ancestors" in messages, f"the browser gives no reason: {messages}")
            for text in (page.offered, "Scan the code with the app", "Bücher", 'name="user"', '<svg class="code"'):
                page.expect(text not in source, f"the frame shows “{text}”: {source}")


def main():
    url, later, key_file, screenshots = sys.argv[1:]
    server = nightlatch.Server(url, pathlib.Path(key_file).read_text(encoding="utf-8").strip())
    phone, other = nightlatch.Device(server, "alice"), nightlatch.Device(server, "bob")
    app, page = App(server), Page(url, screenshots)
    try:
        scan_with_mouse(page, app, phone)
        enter_name_with_keyboard(page, app, phone)
        scan_twice(page, app, phone, other)
        log_in_without_script(page, app, phone)
        answer_by_form(page, app, phone)
        look_at_other_pages(page, app)
        look_at_ended_logins(page, app, server, later)
        frame(page, app)
        print(f"checked: {page.checked} views of the login page, and logins by scan and by name")
    finally:
        page.driver.quit()


main()
