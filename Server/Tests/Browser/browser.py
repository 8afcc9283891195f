"""A real browser for tests, driven by mouse and by keyboard, wide and narrow, light and dark. It checks
accessibility."""

import base64
import pathlib
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from waiting import WAIT_SECONDS, wait

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_source():
    for folder in sys.path:
        path = pathlib.Path(folder) / "axe_playwright_python" / "axe.min.js"
        if path.exists():
            return path.read_text(encoding="utf-8")
    raise SystemExit("no axe.min.js in this Python's packages: run scripts/python-environment")


class Browser:
    def __init__(self, url, screenshots):
        self.url = url
        self.screenshots = pathlib.Path(screenshots)
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.axe = axe_source()
        self.checked = 0
        options = webdriver.ChromeOptions()
        # Tests may run as root, which Chromium's sandbox refuses, and with little shared memory.
        for flag in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if chromium := shutil.which("chromium"):
            options.binary_location = chromium
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(WAIT_SECONDS)
        self.width, self.scheme = 0, ""

    def show(self, width, scheme, height=800, motion="no-preference"):
        """Sets the window's size in CSS pixels, the system's colour scheme, and whether the system allows motion."""
        self.width, self.scheme = width, scheme
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]})

    def allow_scripts(self, allowed):
        """Sets whether pages may run their scripts, as a user can. Scripts of a test still run."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not allowed})

    def open(self, path):
        self.driver.get(self.url + path)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def link(self, text):
        return self.driver.find_element(By.LINK_TEXT, text)

    def text(self):
        return self.find("main").text

    def wait(self, condition, wanted):
        wait(self.driver, condition, wanted)

    def expect(self, condition, wanted):
        if not condition:
            raise SystemExit(f"{wanted}: at {self.driver.current_url} there is\n{self.text()}")

    def expect_heading(self, heading):
        def is_there():
            return self.find("h1").text == heading and self.driver.execute_script("return document.readyState;") == "complete"
        self.wait(is_there, f"no heading “{heading}”")

    def check(self, name):
        """Checks the page for accessibility problems, for content that does not fit, and for messages of the
        browser."""
        self.driver.execute_script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run({runOnly: arguments[0]}).then(done, error => done({violations: [{id: String(error), nodes: []}]}));",
            RULES)
        problems = [
            f"{violation['id']}: {node['html']}\n  {node.get('failureSummary', '')}"
            for violation in found["violations"] for node in violation["nodes"] or [{"html": ""}]
        ]
        wide = self.driver.execute_script(
            "const root = document.scrollingElement; return root.scrollWidth > window.innerWidth ? root.scrollWidth : 0;")
        if wide:
            problems.append(f"the page is {wide} pixels wide")
        # There is no icon, and the policy allows none to be loaded. Some pages are refusals.
        problems += [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE")
            and "favicon" not in entry["message"] and "server responded with a status of 4" not in entry["message"]
        ]
        self.take_picture(f"{name}-{self.width}-{self.scheme}", {"captureBeyondViewport": True})
        if problems:
            raise SystemExit(f"{name}, {self.width} pixels, {self.scheme}:\n" + "\n".join(problems))
        self.checked += 1

    def take_picture(self, name, settings):
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", settings)
        (self.screenshots / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))

    # By keyboard only.

    def focused(self):
        return self.driver.switch_to.active_element

    def type(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, text):
        """Presses Tab until the focused element has this name, and checks that the focus is visible."""
        for _ in range(100):
            self.type(Keys.TAB)
            element = self.focused()
            if element.accessible_name == text:
                style = self.driver.execute_script(
                    "const style = getComputedStyle(arguments[0]); return [style.outlineStyle, style.outlineWidth];",
                    element)
                self.expect(style[0] != "none" and style[1] != "0px", f"no focus can be seen on “{text}”")
                return
        self.expect(False, f"Tab does not lead to “{text}”")

    def press(self, text, heading):
        self.tab_to(text)
        self.type(Keys.ENTER)
        self.expect_heading(heading)
