"""Waits for a page in a browser."""

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.support.wait import WebDriverWait

# The time limit for a condition on a busy machine. Each wait ends as soon as its condition is true.
WAIT_SECONDS = 300


def wait(driver, condition, wanted):
    """Waits until the condition holds. `wanted` says what was missing if it never does."""

    def holds(_):
        # While one page replaces another, elements found on the first one become stale. Chromedriver has two words
        # for that.
        try:
            return condition()
        except (NoSuchElementException, StaleElementReferenceException):
            return False
        except WebDriverException as error:
            if "does not belong to the document" in (error.msg or ""):
                return False
            raise

    return WebDriverWait(driver, WAIT_SECONDS, 0.05).until(holds, wanted)
