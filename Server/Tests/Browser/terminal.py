"""Draws the text of a terminal, light and dark.

Usage: terminal.py FILE FOLDER NAME

FILE has the lines of the screen with their colour sequences (ECMA-48, section 8.3.117), as `tmux capture-pane -e`
prints them. Writes FOLDER/NAME-light.png and FOLDER/NAME-dark.png. Ends with status 1 if it does not know a sequence.
"""

import html
import pathlib
import re
import sys

from selenium.webdriver.common.by import By

from browser import Browser

STYLE = """
    :root { --ground: #fdfcfa; --text: #1b1d26; --faint: #8d8a83; --cyan: #12677a; --red: #b3261e; --yellow: #7d5208; --line: #d9d5cb; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #171a22; --text: #e6e4de; --faint: #7d808c; --cyan: #6cc5d6; --red: #ff8f85; --yellow: #e6b04a; --line: #313645; }
    }
    body { margin: 0; background: var(--ground); }
    pre {
      display: inline-block; margin: 0; padding: 1.25rem 2rem; border: 1px solid var(--line); border-radius: 10px; color: var(--text);
      background: var(--ground); font: 15px/1.2 "DejaVu Sans Mono", monospace;
    }
    .s1 { font-weight: bold; } .s2 { color: var(--faint); } .s7 { color: var(--ground); background: var(--text); }
    .s31 { color: var(--red); } .s33 { color: var(--yellow); } .s36 { color: var(--cyan); }
"""
KNOWN = {1, 2, 7, 31, 33, 36}


def markup(text):
    """Returns the lines as HTML."""
    lines = text.splitlines()
    while lines and not re.sub(r"\x1b\[[0-9;]*m", "", lines[-1]).strip():
        lines.pop()
    while lines and not re.sub(r"\x1b\[[0-9;]*m", "", lines[0]).strip():
        lines.pop(0)
    parts, styles = [], set()
    for part in re.split(r"(\x1b\[[0-9;]*m)", "\n".join(lines)):
        if sequence := re.fullmatch(r"\x1b\[([0-9;]*)m", part):
            for number in [int(number or 0) for number in sequence[1].split(";")]:
                if number == 0:
                    styles = set()
                elif number == 39:
                    styles -= {31, 33, 36}
                elif number == 49:
                    # The default background; no other is ever set.
                    continue
                elif number in KNOWN:
                    styles.add(number)
                else:
                    raise SystemExit(f"no such attribute is known: {number}")
        elif "\x1b" in part:
            raise SystemExit("a sequence is none of colour or weight")
        else:
            names = " ".join(f"s{number}" for number in sorted(styles))
            parts.append(f'<span class="{names}">{html.escape(part)}</span>')
    return "".join(parts)


def main():
    file, folder, name = sys.argv[1:]
    page = Browser("", folder)
    try:
        body = markup(pathlib.Path(file).read_text(encoding="utf-8"))
        page.driver.get("data:text/html;charset=utf-8,")
        page.driver.execute_script(
            "document.head.innerHTML = arguments[0]; document.body.innerHTML = arguments[1];",
            f"<style>{STYLE}</style>", f"<pre>{body}</pre>")
        for scheme in ("light", "dark"):
            page.show(900, scheme)
            box = page.driver.find_element(By.CSS_SELECTOR, "pre").rect
            page.take_picture(f"{name}-{scheme}", {"clip": {
                "x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"], "scale": 2}})
    finally:
        page.driver.quit()


main()
