"""Goes through the demonstration in a real browser: by mouse, or by keyboard alone; or knocks at it as a stranger.

Usage: demo.py mouse|keyboard|stranger URL SCREENSHOT-FOLDER

URL is what `nightlatch demo` has printed; nobody has used the phone yet. Ends with 0 and a line that says what was checked, or with 1
and what was wrong.
"""

import http.client
import json
import re
import sys
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Browser

PIN, NEW_PIN, WRONG_PIN = "295038", "741906", "860527"


class Page(Browser):
    """The demonstration's page."""

    def view(self, width, scheme):
        # What moves is seen half way in a picture.
        self.show(width, scheme, height=1500 if width < 500 else 900, motion="reduce")

    def start(self):
        """Opens the page, and has it write down what is announced and what is shown while nobody may try a PIN: that passes."""
        self.open("")
        self.wait_title("Welcome to Harbour")
        self.driver.execute_script("""
            window.said = new Set();
            const note = () => {
              const countdown = document.getElementById('pad-countdown');
              said.add(document.getElementById('announcer').textContent);
              if (countdown.hidden) return;
              said.add(countdown.textContent);
              for (const key of document.querySelectorAll('#pad-keys [data-event^=digit]')) {
                if (key.getAttribute('aria-disabled') !== 'true') said.add('a digit can be pressed');
              }
            };
            new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
        """)

    def take_readme_picture(self):
        """What docs/images has of it."""
        for scheme in ("light", "dark"):
            self.view(1280, scheme)
            self.take_picture(f"demo-{scheme}", {"clip": {"x": 0, "y": 0, "width": 1280, "height": 860, "scale": 0.8}})

    def said(self):
        return self.driver.execute_script("return [...said];")

    def expect_countdown(self, limit):
        """That a wait was shown and announced, never longer than the limit in seconds, and that no digit could be pressed in it. How many
        seconds there are to be seen of it is a matter of how busy the machine is."""
        said = self.said()
        times = [int(text.split()[-2]) for text in said if re.fullmatch(r"Try again in \d+ s", text)]
        self.expect(times and all(1 <= time <= limit for time in times), f"no such countdown: {said}")
        self.expect(any(text.endswith("Wait.") for text in said), f"the wait was not announced: {said}")
        self.expect("a digit can be pressed" not in said, "a digit could be pressed while nobody may try")

    def wait_until_tries(self):
        self.wait(lambda: not self.find("#pad-countdown").is_displayed(), "the countdown does not end")

    def look(self, name, views=((1280, "light"), (360, "dark"))):
        for width, scheme in views:
            self.view(width, scheme)
            self.driver.execute_script("window.scrollTo(0, 0);")
            self.check(name)
        self.view(1280, "light")

    def title(self):
        """What the phone shows: the heading of the part that is not hidden."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#glass h3')].findLast(heading => heading.checkVisibility()).textContent;")

    def wait_title(self, title):
        self.wait(lambda: self.title() == title, f"the phone does not show “{title}”")

    def wait_text(self, selector, text):
        self.wait(lambda: text in self.find(selector).text, f"no “{text}” in {selector}")

    def wait_message(self, text):
        self.wait_text("#app-message", text)

    def wait_event(self, headline):
        """Waits until the newest request that the server has seen is this one."""
        self.wait(lambda: self.find("#log > li h3").text == headline, f"the server has not seen “{headline}”")

    def find_button(self, name):
        """The button of this name, if it can be seen and pressed."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('main button[aria-disabled=false]')].find(button => button.checkVisibility()"
            " && (button.ariaLabel ?? button.textContent) === arguments[0]) ?? null;", name)

    def can_press(self, name):
        return self.find_button(name) is not None

    def click(self, name):
        found = []
        self.wait(lambda: found.append(self.find_button(name)) or found[-1], f"“{name}” cannot be pressed")
        found[-1].click()

    def click_pin(self, pin):
        for digit in pin:
            self.click(digit)

    def steps(self):
        return len(self.driver.find_elements(By.CSS_SELECTOR, "#log > li:first-child details li"))

    def expect_steps(self, count):
        self.expect(self.steps() == count, f"not {count} verified steps")

    def expect_no_pin(self):
        html = self.driver.execute_script("return document.documentElement.outerHTML;")
        self.expect(not any(pin in html for pin in (PIN, NEW_PIN, WRONG_PIN)), "a PIN is in the page")

    # By keyboard alone.

    def enter(self, name):
        self.wait(lambda: self.can_press(name), f"“{name}” cannot be pressed")
        self.tab_to(name)
        self.type(Keys.ENTER)


def set_up_with_mouse(page):
    page.view(1280, "light")
    page.start()
    page.look("welcome")
    page.click("Set up this phone")
    page.wait_title("Choose a PIN")
    page.click_pin("123456")
    page.wait_text("#pad-message", "it counts up or down")
    page.click_pin(PIN)
    page.wait_title("The same once more")
    page.click_pin(NEW_PIN)
    page.wait_text("#pad-message", "Those were not the same")
    page.click_pin(PIN)
    page.wait_title("The same once more")
    page.click_pin(PIN)
    page.wait_title("Hello, Alice")
    page.wait_event("Device bound")
    page.expect_steps(9)
    page.wait_text("#log > li:first-child", "device_bound, by device")
    page.look("home")


def log_in_with_mouse(page):
    page.click("Log in")
    page.wait_message("Logged in")
    page.wait_text("#log", "Login verified")
    log = page.find("#log").text
    page.expect("Verified in 11 steps" in log, "not eleven steps of a login")
    page.expect("user_verification pin" in log, "the steps of the login are not shown")
    page.expect(re.search(r"Access token\s+\d+ characters, SHA-256 [0-9a-f]{8}…", log), "no hash of the access token")
    page.expect("eyJ" not in log, "a token is on the page")


def confirm_with_mouse(page):
    page.click("Ask for a payment")
    page.wait_title("129.90 EUR")
    page.look("payment", [(1280, "dark"), (360, "light")])
    page.click("Confirm")
    page.wait_title("Your PIN")
    page.click_pin(WRONG_PIN)
    page.wait_text("#pad-message", "Wrong PIN. 5 tries left.")
    page.click_pin(PIN)
    page.wait_message("The payment is confirmed")
    page.wait_event("Payment confirmed")
    page.expect_steps(9)
    page.wait_text("#log > li:first-child", "transaction_confirmed, by device")
    page.look("confirmed", [(1280, "light")])


def lock_out_with_mouse(page):
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Your PIN")
    page.click("2")
    page.wait(lambda: page.can_press("Delete"), "Delete cannot be pressed")
    page.look("pad", [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
    page.take_readme_picture()
    page.view(1280, "light")
    page.click("Delete")
    for left in (5, 4):
        page.click_pin(WRONG_PIN)
        page.wait_text("#pad-message", f"Wrong PIN. {left} tries left.")
    page.click_pin(WRONG_PIN)
    page.wait_text("#pad-message", "Wrong PIN. 3 tries left.")
    page.look("waiting")
    page.wait_until_tries()
    page.expect_countdown(5)
    page.click_pin(PIN)
    page.wait_message("Unlocked with the PIN")


def use_finger_with_mouse(page):
    page.click("Turn finger on")
    page.wait_message("your finger opens it too")
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Open Harbour")
    page.look("finger", [(1280, "dark"), (360, "light")])
    page.click("Somebody else’s")
    page.wait_text("#pad-message", "That finger is not known")
    page.click("Use your finger")
    page.wait_title("Open Harbour")
    page.click("Alice’s finger")
    page.wait_message("Unlocked with your finger")
    page.click("Log in")
    page.wait_message("Logged in")
    page.wait_text("#log", "Session renewed")
    page.click("Ask for a payment")
    page.wait_title("129.90 EUR")
    page.click("Reject")
    page.wait_title("Reject 129.90 EUR")
    page.click("Alice’s finger")
    page.wait_message("The payment is rejected")
    page.wait_event("Payment rejected")
    page.click("Enrol another finger")
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_text("#pad-message", "The fingers of this phone have changed")
    page.click_pin(PIN)
    page.wait_message("they open it no more")


def shuffle_with_mouse(page):
    page.click("Shuffle digits")
    page.wait_message("change places")
    page.click("Change PIN")
    page.wait_title("Your present PIN")
    digits = [key.text for key in page.driver.find_elements(By.CSS_SELECTOR, "#pad-keys button") if key.text]
    page.expect(sorted(digits) == list("0123456789"), "not the ten digits")
    page.look("shuffled", [(1280, "light")])
    page.click_pin(PIN)
    page.wait_title("Choose a PIN")
    page.click_pin(NEW_PIN)
    page.wait_title("The same once more")
    page.click_pin(NEW_PIN)
    page.wait_message("Your PIN is changed")
    page.expect_no_pin()


def revoke_with_mouse(page):
    page.click("Revoke this phone")
    page.click("Log in")
    page.wait_message("The server has revoked this phone")
    page.wait_event("Refused")
    page.wait_text("#log > li:first-child", "device_revoked")
    page.look("revoked", [(1280, "light")])
    page.click("Bind this phone again")
    page.wait_message("This phone is bound again")
    page.wait_event("Device bound")


def forget_with_mouse(page):
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Your PIN")
    page.click("Forgotten?")
    page.wait_title("Give the PIN up?")
    page.look("forgotten", [(360, "light")])
    page.click("Give it up")
    page.wait_title("Blocked")
    page.look("blocked", [(360, "dark")])
    page.click("Set up again")
    page.wait_title("Welcome to Harbour")


def go_with_keyboard(page):
    """The whole way without a mouse, on a narrow screen."""
    page.view(360, "dark")
    page.start()
    page.enter("Set up this phone")
    page.wait_title("Choose a PIN")
    page.expect(page.focused().get_attribute("id") == "pad-title", "the focus is not on the pad")
    page.type(PIN)
    page.wait_title("The same once more")
    # A slip is taken back.
    page.type("29", "4")
    page.wait(lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#pad-circles .full")) == 3, "not three circles are full")
    page.type(Keys.BACKSPACE, PIN[2:])
    page.wait_title("Hello, Alice")
    page.expect(page.focused().get_attribute("id") == "app-title", "the focus is not on the app")
    page.enter("Log in")
    page.wait_message("Logged in")
    page.enter("Ask for a payment")
    page.wait_title("129.90 EUR")
    page.enter("Confirm")
    page.wait_title("Your PIN")
    page.type(PIN)
    page.wait_message("The payment is confirmed")
    page.enter("Ask for a payment")
    page.wait_title("129.90 EUR")
    page.enter("Reject")
    page.wait_title("Your PIN")
    # By the keys on the screen, one after the other.
    for digit in PIN[:2]:
        page.enter(digit)
    page.type(PIN[2:])
    page.wait_message("The payment is rejected")
    page.enter("Lock")
    page.wait_title("Locked")
    page.enter("Unlock")
    page.wait_title("Your PIN")
    for left in (5, 4, 3):
        page.wait(lambda: page.can_press("1"), "digits cannot be pressed")
        page.type(WRONG_PIN)
        page.wait_text("#pad-message", f"Wrong PIN. {left} tries left.")
    page.wait_until_tries()
    page.expect_countdown(5)
    page.type(PIN)
    page.wait_message("Unlocked with the PIN")
    page.enter("Turn finger on")
    page.wait_message("your finger opens it too")
    page.enter("Lock")
    page.wait_title("Locked")
    page.enter("Unlock")
    page.wait_title("Open Harbour")
    page.enter("Alice’s finger")
    page.wait_message("Unlocked with your finger")
    page.check("by-keyboard")


def status(url, path, method="GET", body=None, host=None, **headers):
    """What the page's server answers to a request that a browser would send for another page."""
    port = urllib.parse.urlsplit(url).port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    data = body.encode() if body is not None else b""
    if method == "POST":
        connection.putheader("Content-Length", str(len(data)))
    connection.endheaders(data or None)
    return connection.getresponse().status


def knock(url):
    """Requests that are not the page's own. Every one of them is refused; their twins, which are, are not."""
    parts = urllib.parse.urlsplit(url)
    root, own = parts.path, f"http://{parts.netloc}"
    event, kind = json.dumps({"event": "set-up"}), "application/json"
    long = json.dumps({"event": "set-up", "more": "x" * 300})
    cases = [
        (200, dict(path=root)),
        (200, dict(path=root + "script.js", Sec_Fetch_Site="same-origin")),
        (404, dict(path="/")),
        (404, dict(path="/" + "0" * 32 + "/")),
        (404, dict(path="/" + "0" * 32 + "/states")),
        (404, dict(path=root + "nothing")),
        # Another name for the loopback interface, as an attacker's own domain may be.
        (421, dict(path=root, host="localhost:" + str(parts.port))),
        (421, dict(path=root, host="rebound.example")),
        # Another page.
        (403, dict(path=root, Sec_Fetch_Site="cross-site")),
        (403, dict(path=root + "states", Sec_Fetch_Site="same-site")),
        (403, dict(path=root + "states", Origin="http://127.0.0.1:1")),
        (403, dict(path=root + "events", method="POST", body=event, Content_Type=kind)),
        (403, dict(path=root + "events", method="POST", body=event, Content_Type=kind, Origin="null")),
        (403, dict(path=root + "events", method="POST", body=event, Content_Type=kind, Origin="https://example.com")),
        (403, dict(path=root + "events", method="POST", body=event, Content_Type=kind, Origin=own, Sec_Fetch_Site="cross-site")),
        # The page's own, but no event.
        (415, dict(path=root + "events", method="POST", body=event, Content_Type="text/plain", Origin=own)),
        (400, dict(path=root + "events", method="POST", body='{"event":"digit-10"}', Content_Type=kind, Origin=own)),
        (400, dict(path=root + "events", method="POST", body='{"event":"touch","event":"later"}', Content_Type=kind, Origin=own)),
        (400, dict(path=root + "events", method="POST", body="set-up", Content_Type=kind, Origin=own)),
        (413, dict(path=root + "events", method="POST", body=long, Content_Type=kind, Origin=own)),
        (204, dict(path=root + "events", method="POST", body=event, Content_Type=kind, Origin=own)),
    ]
    for wanted, case in cases:
        found = status(url, **case)
        if found != wanted:
            raise SystemExit(f"{case} is answered with {found}, not {wanted}")
    print(f"checked: {len(cases)} requests")


def main():
    way, url, screenshots = sys.argv[1:]
    if way == "stranger":
        return knock(url)
    page = Page(url, screenshots)
    try:
        if way == "keyboard":
            go_with_keyboard(page)
        else:
            set_up_with_mouse(page)
            log_in_with_mouse(page)
            confirm_with_mouse(page)
            lock_out_with_mouse(page)
            use_finger_with_mouse(page)
            shuffle_with_mouse(page)
            revoke_with_mouse(page)
            forget_with_mouse(page)
        print(f"checked: {page.checked} views of the page")
    finally:
        page.driver.quit()


main()
