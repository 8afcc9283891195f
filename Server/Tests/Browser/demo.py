"""Uses the demonstration in a real browser, by mouse or by keyboard only; or sends it requests of another page.

Usage: demo.py mouse|keyboard-WIDTH-SCHEME|stranger URL SCREENSHOT-FOLDER

WIDTH is the window's width in pixels, SCHEME light or dark. With the mouse each view is checked in four such
combinations. URL is the one that `nightlatch-demo` has printed, before any use of the phone. Ends with status 0 and a
line that says what was checked, or with status 1 and the error.
"""

import base64
import http.client
import json
import re
import sys
import urllib.parse

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Browser

PIN, NEW_PIN, WRONG_PIN = "295038", "741906", "860527"
PASSWORD = "third lantern"


class Page(Browser):
    """The page of the demonstration."""

    def view(self, width, scheme):
        # A picture would show moving elements half way.
        self.show(width, scheme, height=1500 if width < 500 else 900, motion="reduce")

    def start(self):
        """Opens the page, and records the announcements and the content during waits, which disappear later."""
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

    def park(self):
        """Moves the pointer to where it touches nothing."""
        webdriver.ActionChains(self.driver).move_to_element(self.find("footer")).perform()
        self.driver.execute_script("window.scrollTo(0, 0);")

    def take_readme_picture(self):
        """Takes the picture for docs/images: the phone, the panel beside it, and two complete entries of the log."""
        for scheme in ("light", "dark"):
            self.view(1280, scheme)
            self.park()
            height = self.driver.execute_script("""
                const bottom = element => element.getBoundingClientRect().bottom;
                const entries = [...document.querySelectorAll('#log > li')];
                const beside = bottom(document.querySelector('.near'));
                const height = Math.max(beside, ...entries.slice(0, 2).map(bottom));
                for (const entry of entries) entry.style.visibility = bottom(entry) > height ? 'hidden' : '';
                return height + 24;
            """)
            self.take_picture(f"demo-{scheme}", {
                "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": 1280, "height": height, "scale": 1.6}})
        self.driver.execute_script("for (const entry of document.querySelectorAll('#log > li')) entry.style.visibility = '';")

    def expect_in_sight(self, *selectors):
        """Checks that elements are completely in a low window, without scrolling."""
        self.show(1366, self.scheme, height=650, motion="reduce")
        self.driver.execute_script("window.scrollTo(0, 0);")
        for selector in selectors:
            box = self.find(selector).rect
            self.expect(box["y"] >= 0 and box["height"] > 0 and box["y"] + box["height"] <= 650, f"{selector} is out of sight: {box}")
        self.view(1280, self.scheme)

    def wait_circles(self, count):
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#pad-circles .full")) == count, f"not {count} circles are full")

    def expect_alike(self):
        """Checks that the pad does not show which digits were typed: by mouse, by keyboard, and by both in turn."""
        pictures = []
        for way in ("22", "77", "2k", "7k", "k2", "k7", "kk"):
            for count, how in enumerate(way):
                if how == "k":
                    self.type("9" if way != "kk" else "4")
                else:
                    self.click(how)
                self.wait_circles(count + 1)
            # The pointer stays on the last pressed key, as a finger does.
            box = self.find("#glass").rect
            pictures.append(self.driver.execute_cdp_cmd("Page.captureScreenshot", {
                "captureBeyondViewport": True, "clip": {**{key: box[key] for key in ("x", "y", "width", "height")}, "scale": 1}})["data"])
            for count in (1, 0):
                self.type(Keys.BACKSPACE)
                self.wait_circles(count)
        self.expect(len(set(pictures)) == 1, "the pad shows which digits were typed")

    def said(self):
        return self.driver.execute_script("return [...said];")

    def expect_countdown(self, limit):
        """Checks that a wait was shown and announced, never longer than `limit` seconds, and that no digit could be
        pressed in it. How many of its seconds can be seen depends on the machine's load."""
        said = self.said()
        times = [int(text.split()[-2]) for text in said if re.fullmatch(r"Try again in \d+ s", text)]
        self.expect(times and all(1 <= time <= limit for time in times), f"no such countdown: {said}")
        self.expect(any(text.endswith("Wait.") for text in said), f"the wait was not announced: {said}")
        self.expect("a digit can be pressed" not in said, "a digit could be pressed while nobody may try")

    def wait_until_tries(self):
        self.wait(lambda: not self.find("#pad-countdown").is_displayed(), "the countdown does not end")

    def look(self, name):
        """Checks the content, wide and narrow, light and dark."""
        for width, scheme in ((1280, "dark"), (360, "light"), (360, "dark"), (1280, "light")):
            self.view(width, scheme)
            self.driver.execute_script("window.scrollTo(0, 0);")
            self.check(name)

    def title(self):
        """Returns the phone's title: the heading of the visible part."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#glass h3')].findLast(heading => heading.checkVisibility()).textContent;")

    def wait_title(self, title):
        self.wait(lambda: self.title() == title, f"the phone does not show “{title}”")

    def wait_text(self, selector, text):
        self.wait(lambda: text in self.find(selector).text, f"no “{text}” in {selector}")

    def wait_message(self, text):
        self.wait_text("#app-message", text)

    def wait_event(self, headline):
        """Waits until the server's newest request has this headline."""
        self.wait(lambda: self.find("#log > li h3").text == headline, f"the server has not seen “{headline}”")

    def find_button(self, name):
        """Returns the button with this name if it is visible and enabled."""
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

    def sign_in_with_mouse(self, title):
        """Signs in, first with a wrong password; nothing else unblocks the PIN."""
        self.wait_title("Sign in at Harbour")
        self.look("sign-in")
        for password in ("second lantern", PASSWORD):
            self.find("#password").clear()
            self.find("#password").send_keys(password)
            self.click("Sign in")
            if password != PASSWORD:
                self.wait_message("did not accept the password")
                self.wait_event("Refused")
        self.wait_title(title)
        self.wait_text("#log", "has signed in with the password")

    def follow_guide(self, name):
        """Presses the button of the next step that the page suggests."""
        self.wait(lambda: self.find("#guide-action button").text == name and self.find_button(name), f"the guide does not suggest “{name}”")
        self.find("#guide-action button").click()

    def wait_done(self, step):
        self.wait(lambda: step in [item.text for item in self.driver.find_elements(By.CSS_SELECTOR, "#guide-steps .done")], f"“{step}” has no tick")

    def wait_shop(self):
        """Waits until the shop is registered and can be opened."""
        self.wait_event("App registered")
        self.wait(lambda: self.find("#shop a").is_displayed() and self.find("#guide-shop").is_displayed(), "the shop cannot be opened")

    def open_shop(self, open_link):
        """Opens the shop in a tab of its own, and goes to it."""
        tab = self.driver.current_window_handle
        open_link()
        self.wait(lambda: len(self.driver.window_handles) == 2, "the shop is not opened")
        self.tabs = tab, next(each for each in self.driver.window_handles if each != tab)
        self.go_to_shop()
        self.view(self.width, self.scheme)
        self.expect_heading("The Shop")

    def go_to_phone(self):
        self.driver.switch_to.window(self.tabs[0])

    def go_to_shop(self):
        self.driver.switch_to.window(self.tabs[1])

    def number(self):
        """Returns the number on the login page."""
        return self.find(".number dd").text

    def press_on_site(self, name):
        """Presses a link or button of the shop or of the login page."""
        found = []

        def is_there():
            elements = self.driver.find_elements(By.CSS_SELECTOR, "main a, main button")
            found[:] = [element for element in elements if element.text == name]
            return found

        self.wait(is_there, f"no “{name}”")
        found[0].click()

    def steps(self):
        return len(self.driver.find_elements(By.CSS_SELECTOR, "#log > li:first-child details li"))

    def expect_steps(self, count):
        self.expect(self.steps() == count, f"not {count} verified steps")

    def open_message(self, name, texts):
        """Opens a signed message in the log, checks its content, and copies it."""
        message = next(each for each in self.driver.find_elements(By.CSS_SELECTOR, "#log details.signed") if name in each.text)
        message.find_element(By.CSS_SELECTOR, "summary").click()
        self.wait(lambda: all(text in message.text for text in texts), f"the message does not show {texts}")
        message.find_element(By.CSS_SELECTOR, ".copy").click()
        self.wait(lambda: message.find_element(By.CSS_SELECTOR, ".copy").text in ("Copied", "Selected"), "it cannot be copied")
        self.look("message")
        message.find_element(By.CSS_SELECTOR, "summary").click()

    def expect_no_token(self):
        """Checks that no access token and no ID token is in the page, also not in what is folded."""
        html = self.driver.execute_script("return document.documentElement.outerHTML;")
        for header in re.findall(r"\b(eyJ[\w-]+)\.[\w-]+\.[\w-]+", html):
            kind = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4))).get("typ")
            self.expect(kind not in ("at+jwt", "JWT", None), f"a token of type {kind} is in the page")

    def expect_no_pin(self):
        html = self.driver.execute_script("return document.documentElement.outerHTML;")
        self.expect(not any(pin in html for pin in (PIN, NEW_PIN, WRONG_PIN)), "a PIN is in the page")

    # By keyboard only.

    def enter(self, name):
        self.wait(lambda: self.can_press(name), f"“{name}” cannot be pressed")
        self.tab_to(name)
        self.type(Keys.ENTER)


def set_up_with_mouse(page):
    page.view(1280, "light")
    page.start()
    page.look("welcome")
    page.follow_guide("Set up this phone")
    page.wait_title("Choose a PIN")
    page.click_pin("123456")
    page.wait_text("#pad-message", "it counts up or down")
    page.look("refused")
    page.click_pin(PIN)
    page.wait_title("Enter the new PIN again")
    page.look("repeat")
    page.click_pin(NEW_PIN)
    page.wait_text("#pad-message", "The two PINs differ")
    page.look("mismatch")
    page.click_pin(PIN)
    page.wait_title("Enter the new PIN again")
    page.click_pin(PIN)
    page.wait_title("Hello, Alice")
    page.wait_event("Device bound")
    page.expect_steps(9)
    page.wait_text("#log > li:first-child", "device_bound, by device")
    page.look("home")
    page.wait_done("Set up the phone")


def log_in_with_mouse(page):
    page.click("Ask for a payment")
    page.wait_message("You have a pending payment")
    page.follow_guide("Log in")
    page.wait_title("129.90 EUR")
    page.wait_text("#log", "Login verified")
    log = page.find("#log").text
    page.expect("Verified in 11 steps" in log, "not eleven steps of a login")
    page.expect("user_verification pin" in log, "the steps of the login are not shown")
    page.expect(re.search(r"Access token\s+\d+ characters, SHA-256 [0-9a-f]{8}…", log), "no hash of the access token")
    # A JWT begins so. Random texts contain these characters now and then, and rarely begin with them.
    page.expect(not re.search(r"(?<![\w-])eyJ", log), "a token is on the page")
    page.expect_no_token()
    page.open_message("Login of the device key", ["nightlatch-login+jwt", "user_verification", "eyJ"])


def confirm_with_mouse(page):
    page.wait_event("Device asks for its pending payments")
    page.look("payment")
    page.expect("Night Train Ltd" in page.find("#app-facts").text, "no payee")
    page.expect_in_sight("#app-title", "#app-facts", "#app-actions")
    page.click("Confirm")
    page.wait_title("Your PIN")
    page.wait_text("#pad-hint", "Pay 129.90 EUR to Night Train Ltd")
    page.expect_in_sight("#pad-hint", "#pad-circles", "#pad-keys", "#pad-others")
    for count, digit in enumerate("295"):
        page.click(digit)
        page.wait_circles(count + 1)
    page.take_readme_picture()
    page.view(1280, "light")
    for count in (2, 1, 0):
        page.click("Delete")
        page.wait_circles(count)
    page.click_pin(WRONG_PIN)
    page.wait_text("#pad-message", "Wrong PIN. 5 attempts left.")
    page.click_pin(PIN)
    page.wait_message("The payment is confirmed")
    page.wait_event("Payment confirmed")
    page.expect_steps(9)
    page.wait_text("#log > li:first-child", "transaction_confirmed, by device")
    page.look("confirmed")


def ask_shop_with_mouse(page):
    """Asks for a login at the shop by the user's name, and returns the number on the login page."""
    page.press_on_site("Log in with your phone")
    page.expect_heading("Scan the code with your phone")
    page.expect(page.find("#user").get_attribute("value") == "alice", "the login page does not suggest the name")
    page.press_on_site("Send to my phone")
    page.expect_heading("Confirm on your phone")
    number = page.number()
    page.go_to_phone()
    page.wait_title("Log in to The Shop?")
    return number


def enter_number_with_mouse(page, number):
    page.click("Confirm")
    page.wait_title("Enter the number")
    page.click(number[0])
    page.click(number[0])
    page.click("Delete")
    page.click(number[1])
    page.wait_text("#number-digits", "\n".join(number))


def log_in_at_shop_with_mouse(page):
    page.follow_guide("Register the shop")
    page.wait_shop()
    page.wait_text("#log > li:first-child", "app_registered, by operator")
    page.open_shop(page.find("#guide-shop").click)
    page.look("shop")
    number = ask_shop_with_mouse(page)
    facts = page.find("#app-facts").text
    page.expect("The Shop (shop)" in facts and "127.0.0.1" in facts and " UTC" in facts, "not app, place and time")
    page.look("login")
    page.expect_in_sight("#app-title", "#app-facts", "#app-actions")
    enter_number_with_mouse(page, number)
    page.look("number")
    page.expect_in_sight("#app-title", "#number", "#app-actions")
    page.click("Continue")
    page.wait_title("Your PIN")
    page.wait_text("#pad-hint", "Log in to The Shop")
    page.click_pin(PIN)
    page.wait_title("Login confirmed")
    page.look("login-confirmed")
    page.wait_text("#log", "Login in a browser confirmed")
    page.wait_text("#log", "remote_login_confirmed")
    page.click("Done")
    page.wait_title("Hello, Alice")
    page.wait_done("Log in at a shop")
    page.go_to_shop()
    page.expect_heading("Welcome, alice")
    found = page.text()
    for wanted in ("The signature is by a key that the server publishes", "It belongs to the shop’s request", '"alice"', '"shop"'):
        page.expect(wanted in found, f"no {wanted}")
    page.look("shop-account")
    page.press_on_site("Log out of the shop")
    page.expect_heading("The Shop")


def refuse_shop_with_mouse(page):
    """A wrong number, then a rejection of a login whose code was scanned: the shop logs nobody in."""
    number = ask_shop_with_mouse(page)
    enter_number_with_mouse(page, f"{(int(number) + 1) % 100:02}")
    page.click("Continue")
    page.wait_title("Your PIN")
    page.click_pin(PIN)
    page.wait_title("Wrong number")
    page.wait_text("#log", "Wrong number: the login has ended")
    page.look("login-wrong-number")
    page.click("Done")
    page.go_to_shop()
    page.expect_heading("The number was wrong")
    page.press_on_site("Try again")
    page.expect_heading("Scan the code with your phone")
    page.go_to_phone()
    page.click("Scan a code")
    page.wait_title("Log in to The Shop?")
    page.click("Reject")
    page.wait_title("Your PIN")
    page.click_pin(PIN)
    page.wait_title("Login rejected")
    page.look("login-rejected")
    page.click("Done")
    page.go_to_shop()
    page.expect_heading("The login was rejected")
    page.press_on_site("Back to The Shop")
    page.expect_heading("You are not logged in")
    page.look("shop-without-login")
    page.go_to_phone()


def lock_out_with_mouse(page):
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Your PIN")
    page.click("2")
    page.wait(lambda: page.can_press("Delete"), "Delete cannot be pressed")
    page.look("pad")
    page.click("Delete")
    page.wait_circles(0)
    page.expect_alike()
    for left in (5, 4):
        page.click_pin(WRONG_PIN)
        page.wait_text("#pad-message", f"Wrong PIN. {left} attempts left.")
    page.click_pin(WRONG_PIN)
    page.wait_text("#pad-message", "Wrong PIN. 3 attempts left.")
    page.look("waiting")
    page.wait_until_tries()
    page.expect_countdown(5)
    page.click_pin(PIN)
    page.wait_message("Unlocked with the PIN")


def use_finger_with_mouse(page):
    page.click("Turn finger on")
    page.wait_message("your finger opens the vault too")
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Open Harbour")
    page.look("finger")
    page.click("Another person’s finger")
    page.wait_text("#pad-message", "The finger was not recognised")
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
    page.wait_title("Do not pay 129.90 EUR to Night Train Ltd")
    page.expect_in_sight("#sheet-title", "#sheet-actions", "#fingers")
    page.click("Alice’s finger")
    page.wait_message("The payment is rejected")
    page.wait_event("Payment rejected")
    page.click("Enrol another finger")
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_text("#pad-message", "The fingers of this phone have changed")
    page.click_pin(PIN)
    page.wait_message("they no longer open the vault")


def shuffle_with_mouse(page):
    page.click("Shuffle digits")
    page.wait_message("change places")
    page.click("Change PIN")
    page.wait_title("Your current PIN")
    digits = [key.text for key in page.driver.find_elements(By.CSS_SELECTOR, "#pad-keys button") if key.text]
    page.expect(sorted(digits) == list("0123456789"), "not the ten digits")
    page.look("shuffled")
    page.click_pin(PIN)
    page.wait_title("Choose a PIN")
    page.click_pin(PIN)
    page.wait_text("#pad-message", "it is the current PIN")
    page.click_pin(NEW_PIN)
    page.wait_title("Enter the new PIN again")
    page.click_pin(NEW_PIN)
    page.wait_message("Your PIN is changed")
    page.expect_no_pin()


def revoke_with_mouse(page):
    # The phone and the log show at once what the operator does.
    page.click("Block this phone")
    page.wait_message("An operator has blocked this phone")
    page.wait_text("#log", "device_blocked, by operator")
    page.click("Unblock this phone")
    page.wait_message("Logged in")
    page.wait_text("#log", "device_unblocked, by operator")
    # A prompt ends, because it would hide the news.
    page.click("Change PIN")
    page.wait_title("Your current PIN")
    page.click("Revoke this phone")
    page.wait_message("The server has revoked this phone")
    page.wait_event("Refused")
    page.wait_text("#log", "device_revoked, by operator")
    page.look("revoked")
    page.click("Bind this phone again")
    page.wait_message("This phone is bound again")
    page.wait_event("Device bound")


def forget_with_mouse(page):
    page.click("Turn finger on")
    page.wait_message("your finger opens the vault too")
    page.click("Lock")
    page.wait_title("Locked")
    page.look("locked")
    page.click("Unlock")
    page.wait_title("Open Harbour")
    page.click("Use the PIN")
    page.wait_title("Your PIN")
    page.click("Forgotten?")
    page.wait_title("Give up this PIN?")
    page.look("forgotten")
    page.click("Give it up")
    page.wait_title("Blocked")
    page.look("blocked")
    # The finger opens the vault when no PIN can open it any more, and the user chooses a new PIN.
    page.click("Open it")
    page.wait_title("Open Harbour")
    page.click("Alice’s finger")
    page.wait_message("The PIN stays blocked until you sign in")
    page.look("pin-blocked")
    page.click("Choose a new PIN")
    page.sign_in_with_mouse("Choose a PIN")
    for title in ("Enter the new PIN again", "Hello, Alice"):
        page.click_pin(PIN)
        page.wait_title(title)
    page.wait_message("your new PIN opens the vault")
    page.click("Turn finger off")
    page.wait_message("only the PIN opens the vault")
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Your PIN")
    page.click_pin(PIN)
    page.wait_message("Unlocked with the PIN")
    # Without a finger the only way is to start over.
    page.click("Lock")
    page.wait_title("Locked")
    page.click("Unlock")
    page.wait_title("Your PIN")
    page.click("Forgotten?")
    page.wait_title("Give up this PIN?")
    page.click("Give it up")
    page.wait_title("Blocked")
    page.expect(not page.can_press("Open it"), "something opens a vault that nothing opens")
    page.look("blocked-for-good")
    page.click("Sign in and set up again")
    page.sign_in_with_mouse("Welcome to Harbour")
    page.wait_message("You have signed in at Harbour")


def log_in_at_shop_with_keyboard(page):
    page.enter("Register the shop")
    page.wait_shop()
    page.tab_to("Open the shop")
    page.open_shop(lambda: page.type(Keys.ENTER))
    page.press("Log in with your phone", "Scan the code with your phone")
    page.press("Send to my phone", "Confirm on your phone")
    number = page.number()
    page.go_to_phone()
    page.wait_title("Log in to The Shop?")
    page.enter("Confirm")
    page.wait_title("Enter the number")
    page.type(number[0], number[0], Keys.BACKSPACE)
    page.wait_text("#number-digits", number[0])
    page.type(number[1])
    page.wait_text("#number-digits", "\n".join(number))
    page.check("by-keyboard-number")
    page.wait(lambda: page.can_press("Continue"), "the number is not taken")
    page.type(Keys.ENTER)
    page.wait_title("Your PIN")
    page.type(PIN)
    page.wait_title("Login confirmed")
    page.enter("Done")
    page.wait_title("Hello, Alice")
    page.go_to_shop()
    page.expect_heading("Welcome, alice")
    page.go_to_phone()


def unlock_with_keyboard(page, title):
    page.enter("Lock")
    page.wait_title("Locked")
    page.enter("Unlock")
    page.wait_title(title)


def go_with_keyboard(page, width, scheme):
    """Goes through everything without a mouse."""
    page.view(width, scheme)
    page.start()
    page.enter("Set up this phone")
    page.wait_title("Choose a PIN")
    page.expect(page.focused().get_attribute("id") == "pad-title", "the focus is not on the pad")
    page.type("123456")
    page.wait_text("#pad-message", "it counts up or down")
    page.check("by-keyboard-refused")
    page.type(PIN)
    page.wait_title("Enter the new PIN again")
    page.type(NEW_PIN)
    page.wait_text("#pad-message", "The two PINs differ")
    page.type(PIN)
    page.wait_title("Enter the new PIN again")
    # A wrong key is corrected.
    page.type("29", "4")
    page.wait_circles(3)
    page.type(Keys.BACKSPACE, PIN[2:])
    page.wait_title("Hello, Alice")
    page.expect(page.focused().get_attribute("id") == "app-title", "the focus is not on the app")
    page.enter("Log in")
    page.wait_message("Logged in")
    page.check("by-keyboard")
    page.enter("Ask for a payment")
    page.wait_title("129.90 EUR")
    page.check("by-keyboard-payment")
    page.enter("Confirm")
    page.wait_title("Your PIN")
    page.type(Keys.ESCAPE)
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
    page.check("by-keyboard-pad")
    page.type(PIN[2:])
    page.wait_message("The payment is rejected")
    log_in_at_shop_with_keyboard(page)
    unlock_with_keyboard(page, "Your PIN")
    for left in (5, 4, 3):
        page.wait(lambda: page.can_press("1"), "digits cannot be pressed")
        page.type(WRONG_PIN)
        page.wait_text("#pad-message", f"Wrong PIN. {left} attempts left.")
    page.check("by-keyboard-waiting")
    page.wait_until_tries()
    page.expect_countdown(5)
    page.type(PIN)
    page.wait_message("Unlocked with the PIN")
    page.enter("Turn finger on")
    page.wait_message("your finger opens the vault too")
    unlock_with_keyboard(page, "Open Harbour")
    page.enter("Alice’s finger")
    page.wait_message("Unlocked with your finger")
    # The user gives the PIN up, opens the vault with the finger, and chooses a new PIN.
    unlock_with_keyboard(page, "Open Harbour")
    page.enter("Use the PIN")
    page.wait_title("Your PIN")
    page.enter("Forgotten?")
    page.wait_title("Give up this PIN?")
    page.enter("Give it up")
    page.wait_title("Blocked")
    page.check("by-keyboard-blocked")
    page.enter("Open it")
    page.wait_title("Open Harbour")
    page.enter("Alice’s finger")
    page.wait_message("The PIN stays blocked")
    page.enter("Choose a new PIN")
    page.wait_title("Sign in at Harbour")
    page.tab_to("Password")
    page.type(PASSWORD, Keys.ENTER)
    page.wait_title("Choose a PIN")
    for title in ("Enter the new PIN again", "Hello, Alice"):
        page.type(NEW_PIN)
        page.wait_title(title)
    page.wait_message("your new PIN opens the vault")
    page.expect_no_pin()


def status(url, path, **settings):
    return request(url, path, **settings).status


def request(url, path, method="GET", body=None, host=None, **headers):
    """Returns the answer of the page's server, or of the shop, to a request that a browser would send for another page."""
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
    return connection.getresponse()


def knock(url):
    """Sends requests that are not the page's own. Each is refused; the same request from the page is accepted."""
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
        # The page's own requests, but without a valid event.
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
    shop = request(url, root + "shop").headers["Location"]
    site = f"http://{urllib.parse.urlsplit(shop).netloc}"

    def attempt():
        """Begins a login at the shop. Returns the cookie and the state."""
        answer = request(shop, "/login")
        state = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["Location"]).query)["state"][0]
        return answer.headers["Set-Cookie"].split(";")[0], state

    first, second, third = attempt(), attempt(), attempt()
    of_shop = [
        (200, dict(path="/")),
        (421, dict(path="/", host="rebound.example")),
        (403, dict(path="/logout", method="POST")),
        (403, dict(path="/logout", method="POST", Origin=own)),
        (303, dict(path="/logout", method="POST", Origin=site)),
        # Answers to no login of this browser, to another request, and of another server.
        (400, dict(path=f"/callback?code=a&state={first[1]}")),
        (400, dict(path=f"/callback?code=a&state={second[1]}", Cookie=first[0])),
        (400, dict(path=f"/callback?code=a&state={second[1]}&iss=http%3A%2F%2Fother.example", Cookie=second[0])),
        (400, dict(path=f"/callback?code=a&state={third[1]}", Cookie=third[0])),
    ]
    for wanted, case in of_shop:
        found = status(shop, **case)
        if found != wanted:
            raise SystemExit(f"the shop answers {case} with {found}, not {wanted}")
    print(f"checked: {len(cases) + len(of_shop)} requests")


def main():
    way, url, screenshots = sys.argv[1:]
    if way == "stranger":
        return knock(url)
    page = Page(url, screenshots)
    try:
        if way.startswith("keyboard-"):
            _, width, scheme = way.split("-")
            go_with_keyboard(page, int(width), scheme)
        else:
            set_up_with_mouse(page)
            log_in_with_mouse(page)
            confirm_with_mouse(page)
            log_in_at_shop_with_mouse(page)
            refuse_shop_with_mouse(page)
            lock_out_with_mouse(page)
            use_finger_with_mouse(page)
            shuffle_with_mouse(page)
            revoke_with_mouse(page)
            forget_with_mouse(page)
            page.wait_text("#guide-title", "You have tried everything")
        print(f"checked: {page.checked} views of the page")
    finally:
        page.driver.quit()


main()
