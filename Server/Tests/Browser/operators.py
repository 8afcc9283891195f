"""Signs operators in to the console in a real browser. Their phones are devices in Python, which scan the login page with
zbar.

Usage: operators.py URL BACKEND-KEY-FILE CODE SCREENSHOT-FOLDER

URL is the relying party's, over a new database and without rate limits. CODE is the enrolment code of its only operator,
the owner olga with the name "Olga O.". Ends with status 0 and a line that says what was checked, or with status 1 and the
error.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "OpenAPI"))

import device as nightlatch  # noqa: E402
import scanner  # noqa: E402
from browser import Browser  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402


class Console(Browser):
    """The console and its login page in a browser."""

    def scan(self):
        self.take_picture("scan", {"captureBeyondViewport": True})
        address, code = scanner.scan(self.screenshots / "scan.png").split("#")
        self.expect(address == self.url + "/login", f"the code leads to {address}")
        return code

    def sign_in(self, phone, heading="Overview"):
        """Signs in with a scan of the login page."""
        self.open("/console/sign-in")
        self.press("Sign in with your phone", "Scan the code with your phone")
        self.expect("Console of " + self.url in self.text(), "the page does not name the console")
        assert phone.claim(self.scan()).status == 200
        self.expect_heading("Confirm on your phone")
        login, = phone.remote_logins()
        assert login["details"]["app"] == "Console of " + self.url, login
        answer = phone.decide_remote_login(login, "confirm", self.find(".number dd").text)
        assert answer.status == 200 and answer.json()["state"] == "confirmed", answer.body
        self.expect_heading(heading)

    def give_reason(self):
        self.tab_to("Reason")
        self.type("ticket 4711")


def look(console, pages):
    """Checks pages in both colour schemes and in both widths."""
    for width, scheme in [(1280, "light"), (360, "dark"), (1280, "dark"), (360, "light")]:
        console.show(width, scheme)
        for name, path in pages.items():
            console.open(path)
            console.check(name)
    console.show(1280, "light")


def add_with_keyboard(console, server):
    """The owner adds a viewer. Returns the phone that binds with the code of the page."""
    console.press("Operators", "Operators")
    console.press("Add…", "Add an operator")
    console.tab_to("User")
    console.type("vera")
    console.tab_to("Name")
    console.type("Vera <b>V.</b>")
    console.press("Add operator", "Bind a phone")
    console.check("operator-code")
    return nightlatch.Device(server, "vera", console.find("[role=status] code").text)


def block(console, device):
    """Blocks a device of bob, with a reason."""
    console.open("/console/user?id=bob")
    console.find(f"a[href*='{device}']").click()
    console.wait(lambda: console.driver.find_elements(By.LINK_TEXT, "Block…"), "no link")
    name = console.find("h1").text
    console.press("Block…", "Block this device?")
    console.check("block-with-reason")
    console.give_reason()
    console.press("Block device", name)


def main():
    url, key_file, code, screenshots = sys.argv[1:]
    server = nightlatch.Server(url, pathlib.Path(key_file).read_text(encoding="utf-8").strip())
    console = Console(url, screenshots)
    try:
        olga, bob = nightlatch.Device(server, "olga", code), nightlatch.Device(server, "bob")
        look(console, {"sign-in-with-phone": "/console/sign-in"})
        console.sign_in(olga)
        console.expect("Olga O., owner" in console.find("header").text, "the frame does not name the operator")
        console.check("overview-of-operator")
        block(console, bob.id)
        vera = add_with_keyboard(console, server)
        look(console, {
            "operators": "/console/operators", "add-operator": "/console/operators/add",
            "change-operator": "/console/operators/change?user=vera",
            "remove-operator": "/console/operators/remove?user=vera", "audit-of-operators": "/console/audit"})
        rows = console.find("tbody").text
        for text in ["Device blocked", "operator: Olga O.", "ticket 4711", "Operator added", "Console signed in"]:
            console.expect(text in rows, f"no “{text}” in the audit log")
        console.press("Sign out", "Sign in")

        console.sign_in(vera)
        console.expect("Vera <b>V.</b>, viewer" in console.find("header").text, "the frame does not name the viewer")
        console.expect("Operators" not in console.find("header nav").text, "a viewer sees the section of operators")
        console.open(f"/console/device?user=bob&id={bob.id}")
        console.expect("Unblock…" not in console.text(), "a viewer can unblock")
        console.check("device-of-viewer")
        look(console, {"refused-role": f"/console/device/unblock?user=bob&id={bob.id}"})
        console.expect_heading("Your role does not allow this")
        console.press("Sign out", "Sign in")

        carl = nightlatch.Device(server, "carl")
        console.sign_in(carl, "You are no operator")
        console.check("no-operator")
        print(f"checked: {console.checked} views of pages, and sign-ins of operators")
    finally:
        console.driver.quit()


main()
