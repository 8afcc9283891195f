"""Uses the operators' console in a real browser, by mouse and by keyboard, wide and narrow, light and dark.

Usage: console.py URL KEY-FILE DEVICE-NAME SCREENSHOT-FOLDER

URL is the relying party's. Its user alice has an active device with that name, and a journey key with sessions. No app is registered. Ends
with status 0 and a line that says what was checked, or with status 1 and the error.
"""

import pathlib
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Browser


def sign_in_with_mouse(console, key):
    console.show(1280, "light")
    console.open("/console")
    console.expect_heading("Sign in")
    console.check("sign-in")
    console.find("#key").send_keys("wrong")
    console.find("form:has(#key) button").click()
    console.expect_heading("The admin key is wrong")
    console.check("sign-in-refused")
    console.find("#key").send_keys(key)
    console.find("form:has(#key) button").click()
    console.expect_heading("Overview")


def give_reason(console):
    """By keyboard only."""
    console.tab_to("Reason")
    console.type("ticket 4711")


def take_back_without_script(console, key):
    """By keyboard only, with scripts turned off: signs in, withdraws a transaction, and finds it in the audit log."""
    console.show(1280, "light")
    console.allow_scripts(False)
    console.open("/console")
    console.press("Sign out", "Sign in")
    console.tab_to("Admin key")
    console.type(key, Keys.ENTER)
    console.expect_heading("Overview")
    console.tab_to("Find a user or device")
    console.type("ALICE", Keys.ENTER)
    console.expect_heading("Found for “ALICE”")
    console.press("alice", "alice")
    console.tab_to("Bäckerei <Nacht> & Söhne")
    console.type(Keys.ENTER)
    console.wait(lambda: console.find("h1").text.endswith("to Bäckerei <Nacht> & Söhne"), "no transaction")
    title = console.find("h1").text
    console.press("Void…", "Void this transaction?")
    give_reason(console)
    console.press("Void transaction", title)
    message = console.find("[role=status]").text
    console.expect(message == "The transaction was voided.", "no word of it")
    console.press("Audit", "Audit")
    console.expect("Transaction voided" in console.find("tbody").text, "not in the audit log")
    console.allow_scripts(True)


def look_at_all_pages(console, device):
    """Checks every page, in two combinations of the settings that together cover all their values."""
    console.open("/console/user?id=alice")
    console.link(device).click()
    console.expect_heading(device)
    about_device = console.driver.current_url.removeprefix(console.url)
    console.open("/console/user?id=alice")
    transactions = console.driver.find_elements(By.CSS_SELECTOR, "a[href*='/console/transaction?']")
    console.expect(transactions, "no transaction")
    about_transaction = transactions[0].get_attribute("href").removeprefix(console.url)
    about_key = console.find("a[href*='/console/journey-key?']").get_attribute("href").removeprefix(console.url)
    pages = {
        "overview": "/console", "users": "/console/users", "users-none": "/console/users?prefix=nobody",
        "find": "/console/find?text=ali", "find-none": "/console/find?text=nobody", "devices": "/console/devices",
        "devices-none": "/console/devices?id=x&status=blocked", "transactions": "/console/transactions",
        "remote-logins": "/console/remote-logins", "audit-logins": "/console/audit?kind=logged_in",
        "user": "/console/user?id=alice", "device": about_device,
        "block": about_device.replace("/device?", "/device/block?"),
        "rename": about_device.replace("/device?", "/device/rename?"), "transaction": about_transaction,
        "void": about_transaction.replace("/transaction?", "/transaction/void?"), "journey-key": about_key,
        "rename-journey-key": about_key.replace("/journey-key?", "/journey-key/rename?"),
        "remove-journey-key": about_key.replace("/journey-key?", "/journey-key/remove?"),
        "end-journey-sessions": "/console/user/end-sessions?user=alice", "audit": "/console/audit",
        "policy": "/console/policy", "app-policy": "/console/policy/of?app=web", "user-policy": "/console/policy/of?user=alice", "apps": "/console/apps", "register-app": "/console/apps/add",
        "app": "/console/app?id=web", "change-app": "/console/app/change?id=web",
        "remove-app": "/console/app/remove?id=web", "nothing": "/console/nothing",
        "operators-none": "/console/operators", "add-operator": "/console/operators/add",
    }
    for width, scheme in [(1280, "light"), (360, "dark")]:
        console.show(width, scheme)
        for name, path in pages.items():
            console.open(path)
            console.check(name)
    for width, scheme in [(1280, "dark"), (360, "light")]:
        console.show(width, scheme)
        for name in ["overview", "find", "devices", "transactions", "user", "device", "block", "journey-key", "apps", "app", "change-app", "app-policy"]:
            console.open(pages[name])
            console.check(name)


def register_app_with_keyboard(console):
    """By keyboard only: registers an app after a mistake, and sees its secret once."""
    console.show(1280, "light")
    console.open("/console")
    console.press("Apps", "Apps")
    console.check("apps-none")
    console.press("Register…", "Register an app")
    console.tab_to("App id")
    console.type("web")
    console.tab_to("Name")
    console.type("Bücher <b>&</b> mehr")
    console.tab_to("Authentication")
    console.type("A secret")
    console.tab_to("Redirect URIs")
    console.type("https://app.example/callback", Keys.ENTER, "javascript:alert(1)")
    console.tab_to("Register app")
    console.type(Keys.ENTER)
    console.wait(lambda: console.find("[role=alert]"), "no word of the mistake")
    problem = console.find("[role=alert]").text
    console.expect(problem.startswith("“javascript:alert(1)” in redirect_uris must be an https URL"), "another mistake")
    console.check("register-app-refused")
    console.expect(console.find("#client_id").get_attribute("value") == "web", "the form has forgotten the id")
    addresses = console.find("#redirect_uris")
    addresses.clear()
    addresses.send_keys("https://app.example/callback")
    console.tab_to("Devices may use the app")
    console.type(Keys.SPACE)
    console.tab_to("Register app")
    console.type(Keys.ENTER)
    console.expect_heading("Bücher <b>&</b> mehr")
    secret = console.find("[role=status] code").text
    console.expect(len(secret) == 43, "no secret")
    console.check("app-secret")
    console.open("/console/app?id=web")
    console.expect(secret not in console.driver.page_source, "the secret is shown again")


def change_and_remove_app_with_keyboard(console):
    console.show(1280, "light")
    console.open("/console/apps")
    console.press("Bücher <b>&</b> mehr", "Bücher <b>&</b> mehr")
    console.press("Change…", "Change this app")
    console.tab_to("Name")
    # Tab has selected the present text.
    console.type("Bücher")
    console.tab_to("Change app")
    console.type(Keys.ENTER)
    console.expect_heading("Bücher")
    console.expect(console.find("[role=status]").text == "The app was changed.", "no word of it")
    console.check("app-changed")
    console.press("Remove…", "Remove this app?")
    give_reason(console)
    console.press("Remove app", "Apps")
    console.expect(console.find("[role=status]").text == "The app was removed.", "no word of it")
    console.press("Audit", "Audit")
    for event in ["App registered", "App changed", "App removed"]:
        console.expect(event in console.find("tbody").text, f"no “{event}” in the audit log")
    console.expect("app web" in console.text(), "the audit log does not name the app")


def change_policy_with_keyboard(console):
    """By keyboard only: changes the policy of an app after a mistake, and finds the change in the audit log."""
    console.show(1280, "light")
    console.open("/console")
    console.press("Policy", "Policy")
    console.press("nightlatch", "Policy of nightlatch")
    console.tab_to("Digits of a PIN")
    console.type("three")
    give_reason(console)
    console.type(Keys.ENTER)
    console.wait(lambda: console.driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), "no word of the mistake")
    console.check("app-policy-refused")
    lengths = console.find("#pin_lengths")
    console.expect(lengths.get_attribute("value") == "three", "the form has forgotten the text")
    console.expect(lengths.get_attribute("aria-invalid") == "true", "the wrong input is not marked")
    problem = console.find("[role=alert]").text
    console.expect(problem.startswith("“Digits of a PIN” must be a number"), "the problem does not name the input")
    lengths.clear()
    lengths.send_keys("6-8")
    give_reason(console)
    console.type(Keys.ENTER)
    console.wait(lambda: console.driver.find_elements(By.CSS_SELECTOR, "[role=status]"), "no word of the change")
    console.expect_heading("Policy of nightlatch")
    console.expect("Changed by" in console.text() and "6-8" in console.find("dl").text, "the page does not show the policy")
    console.check("app-policy-changed")
    console.press("Audit", "Audit")
    console.expect("Policy changed" in console.find("tbody").text, "not in the audit log")


def revoke_with_keyboard(console, device):
    console.show(1280, "light")
    console.open("/console")
    console.type(Keys.TAB)
    console.expect(console.focused().text == "Skip to content", "the first Tab does not lead past the navigation")
    console.type(Keys.ENTER)
    console.tab_to("Find a user or device")
    console.type("ali", Keys.ENTER)
    console.expect_heading("Found for “ali”")
    console.press("alice", "alice")
    console.press(device, device)
    console.press("Revoke…", "Revoke this device?")
    console.check("revoke")
    give_reason(console)
    console.press("Revoke device", device)
    message = console.find("[role=status]").text
    console.expect(message == "The device was revoked, and its logins have ended.", "no word of it")
    console.check("device-revoked")
    # Reloading the page repeats no action and shows no prompt.
    console.driver.refresh()
    console.expect_heading(device)
    console.press("Audit", "Audit")
    rows = [row.text for row in console.driver.find_elements(By.CSS_SELECTOR, "tbody tr")]
    # Between these entries the log may get a count of refused requests, once a minute.
    first = next((text for text in rows if "Requests refused" not in text), "")
    console.expect("Device revoked" in first and "operator" in first and "alice" in first, "not in the audit log")
    console.check("audit-revoked")
    console.press("Sign out", "Sign in")
    console.driver.back()
    console.expect_heading("Sign in")


def look_after_journeys_with_keyboard(console):
    """Renames and removes the key, and ends the sessions that it did not begin."""
    console.open("/console/user?id=alice")
    console.press("Alice’s <i>phone</i> & tablet", "Alice’s <i>phone</i> & tablet")
    console.press("Rename…", "Rename this device")
    console.tab_to("New name")
    # Tab has selected the present text.
    console.type("Old phone", Keys.ENTER)
    console.expect_heading("Old phone")
    console.check("journey-key-renamed")
    console.press("Remove…", "Remove this key?")
    give_reason(console)
    console.press("Remove key", "alice")
    console.expect("No key is bound through a journey." in console.text(), "the key is still there")
    console.check("journey-key-removed")
    console.press("End all…", "End all sessions of journeys?")
    give_reason(console)
    console.press("End all sessions", "alice")
    console.expect(not console.driver.find_elements(By.ID, "journey-sessions"), "a session lives still")
    console.check("journey-sessions-ended")
    console.press("Audit", "Audit")
    for event in ["Journey device renamed", "Journey device removed", "Journey sessions ended"]:
        console.expect(event in console.find("tbody").text, f"no “{event}” in the audit log")


def main():
    url, key_file, device, screenshots = sys.argv[1:]
    key = pathlib.Path(key_file).read_text(encoding="ascii").strip()
    console = Browser(url, screenshots)
    try:
        sign_in_with_mouse(console, key)
        register_app_with_keyboard(console)
        look_at_all_pages(console, device)
        change_policy_with_keyboard(console)
        change_and_remove_app_with_keyboard(console)
        take_back_without_script(console, key)
        look_after_journeys_with_keyboard(console)
        revoke_with_keyboard(console, device)
        print(f"checked: {console.checked} views of pages")
    finally:
        console.driver.quit()


main()
