"""A person without a session, who logs in on the login page: a real browser, and a phone that scans its QR code.

Written only from docs/openid-connect.md and the help of the command `nightlatch`.
"""

import base64
import os
import pathlib
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By

from person import WAIT_SECONDS, Window

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Browser"))

import scanner  # noqa: E402
import waiting  # noqa: E402


class Phone:
    """The command `nightlatch` with the user's bound device, whose vault has a PIN."""

    PIN = "295038"
    # The key derivation that costs least.
    ENVIRONMENT = {**os.environ, "NIGHTLATCH_KEY_DERIVATION": "pbkdf2-hmac-sha256"}

    def __init__(self, settings, folder):
        self.command, self.home = settings.command, f"{folder}/phone"
        code = self.run([
            "admin", "enrolment-code", "--user", settings.user, "--server", settings.issuer, "--backend-key-file",
            settings.backend_key_file])
        self.use("bind", "--server", settings.issuer, "--code", code.stdout.strip())

    def run(self, words, lines=(), status=0):
        done = subprocess.run(
            [self.command, *words], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
            check=False, env=self.ENVIRONMENT, timeout=WAIT_SECONDS)
        assert done.returncode == status, (words[0], done.returncode, done.stderr)
        return done

    def use(self, *words, status=0):
        """Runs a command on the device. The user enters the PIN as often as it asks. Returns its messages."""
        return self.run([*words, "--home", self.home, "--pin-fd", "0"], [self.PIN] * 2, status).stderr

    def confirm(self, code, number, status=0):
        """Confirms the login of a code. Returns what the phone shows the user."""
        return self.use("confirm", "--code", code, "--number", number, status=status)

    def reject(self, code):
        self.use("confirm", "--code", code, "--reject")


class Page(Window):
    """A browser that gets no session from the test. Where the login page appears, the person logs in with the phone."""

    name = "page"
    offered = "Scan the code with your phone"

    def __init__(self, settings, landing=None):
        self.address = settings.issuer + "/login"
        self.folder = tempfile.TemporaryDirectory()
        self.phone = Phone(settings, self.folder.name)
        # The number of logins with the phone.
        self.logins = 0
        super().__init__(landing)

    def open(self, url):
        super().open(url)
        if self.driver.current_url.startswith(self.address):
            self.log_in()

    def open_page(self, url):
        """Opens an address that must lead to the login page."""
        super().open(url)
        self.expect_heading(self.offered)

    def log_in(self):
        """Confirms the login that the page offers. The browser continues by itself."""
        self.expect_heading(self.offered)
        app = self.find(".app").text.removeprefix("Log in to ")
        shown = self.phone.confirm(self.scan(), self.number())
        assert f"Log in to: {app} (" in shown and "From: 127.0.0.1\n" in shown, (app, shown)
        self.wait(lambda: not self.driver.current_url.startswith(self.address), "the browser does not continue")
        self.logins += 1

    def reject(self):
        """Rejects the login that the page offers, and goes back to the app."""
        self.phone.reject(self.scan())
        self.expect_heading("The login was rejected")
        self.press("Back to ")

    def enter_wrong_number(self):
        """Ends the login that the page offers with a wrong number, and begins again."""
        number = self.number()
        self.phone.confirm(self.scan(), "00" if number != "00" else "01", status=1)
        self.expect_heading("The number was wrong")
        self.press("Try again")
        self.expect_heading(self.offered)

    def scan(self):
        """Returns the text of the QR code in a picture of the window."""
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        file = pathlib.Path(self.folder.name, "page.png")
        file.write_bytes(base64.b64decode(picture["data"]))
        return scanner.scan(file)

    def number(self):
        return self.find(".number dd").text

    def press(self, text):
        """Clicks the button whose name begins with the text."""
        self.driver.find_element(By.XPATH, f"//button[starts-with(., '{text}')]").click()

    def expect_heading(self, heading):
        self.wait(lambda: self.find("h1").text == heading, f"no heading “{heading}”")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait(self, condition, wanted):
        waiting.wait(self.driver, condition, wanted)

    def close(self):
        super().close()
        self.folder.cleanup()
