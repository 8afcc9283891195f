import NightlatchServer

/// The pages of the shop.
enum ShopPage {
    /// The page for visitors without a login.
    static let start = page(
        "The Shop",
        """
        <p>This shop knows no passwords. Its users log in with their phones.</p>
        \(login("Log in with your phone"))<p class="hint">Alice’s phone is on the page of the demonstration. Keep both \
        pages side by side.</p>

        """)

    /// The page after the user has left the login page without a login.
    static let cancelled = page(
        "You are not logged in", "<p>The login page sent you back without a login.</p>\n\(login("Log in again"))")

    /// The page after an answer that the shop does not accept.
    static func failed(_ reason: String) -> String {
        page("The login did not succeed", "<p>\(reason)</p>\n\(login("Log in again"))")
    }

    /// The page for a user with a login. It shows the checks of the ID token, and its claims.
    static func account(_ token: VerifiedIDToken) -> String {
        let checks = token.checks.map { check -> HTML in "<li>\(check.text)<code>\(check.value)</code></li>\n" }
        let claims = token.claims.map { claim -> HTML in
            "<div><dt><code>\(claim.name)</code></dt><dd><code>\(claim.value)</code></dd></div>\n"
        }
        return page(
            "Welcome, \(token.subject)",
            """
            <p>You are logged in, and this shop saw no password and no PIN. The server gave it an ID token, which it \
            has verified:</p>
            <ol>
            \(checks)</ol>
            <h2>What the ID token says</h2>
            <dl>
            \(claims)</dl>
            <form method="post" action="/logout"><button>Log out of the shop</button></form>

            """)
    }

    private static func login(_ label: String) -> HTML {
        "<p><a class=\"button\" href=\"/login\">\(label)</a></p>\n"
    }

    private static func page(_ heading: String, _ body: HTML) -> String {
        let html: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(heading) – Nightlatch demonstration</title>
            <link rel="stylesheet" href="/style.css?\(style.version)">
            </head>
            <body>
            <main>
            <p class="site"><span aria-hidden="true"></span>The Shop, in the demonstration</p>
            <h1>\(heading)</h1>
            \(body)</main>
            </body>
            </html>

            """
        return html.text
    }

    static let style = StyleSheet(
        StyleSheet.common + """
            body {
              display: flex; margin: 0; min-height: 100vh; padding: 1rem; background: var(--ground); color: var(--text);
              font: 1rem/1.5 var(--text-font);
            }
            main {
              width: 100%; max-width: 36rem; margin: auto; padding: 2rem; border: 1px solid var(--line); border-radius: var(--card-corner);
              background: var(--surface); overflow-wrap: anywhere;
            }
            h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; }
            h2 { margin: 1.5rem 0 0.5rem; font-size: 1.0625rem; }
            p { margin: 0 0 1rem; }
            .site { display: flex; align-items: center; gap: 0.55rem; color: var(--muted); }
            .site span { width: 0.9rem; height: 0.9rem; border: 0.2rem solid var(--accent); border-radius: 0.3rem 0.3rem 0.5rem 0.5rem; }
            .hint { margin-bottom: 0; color: var(--muted); font-size: 0.875rem; }
            code { color: var(--muted); }
            ol { margin: 0; padding: 0; list-style: none; }
            li { position: relative; padding: 0.3rem 0 0.3rem 2.1rem; }
            li code { display: block; }
            li::before {
              content: "✓"; position: absolute; left: 0; top: 0.4rem; width: 1.4rem; border-radius: 0.7rem; background: var(--good-ground);
              color: var(--good); font-size: 0.8125rem; line-height: 1.4rem; text-align: center;
            }
            dl { margin: 0 0 1.5rem; border-top: 1px solid var(--line); }
            dl div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 0.75rem; padding: 0.3rem 0; border-bottom: 1px solid var(--line); }
            dt code { color: var(--text); }
            dd { margin: 0; }
            .button, button {
              display: block; width: 100%; padding: 0.7rem 1.1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
              color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: var(--corner); cursor: pointer;
            }
            button { color: var(--text); background: var(--raised); }
            .button:hover, button:hover { border-color: var(--muted); }
            @media (max-width: 32rem) { body { padding: 0; background: var(--surface); } main { padding: 1.25rem 1rem; border: 0; } }
            @media (prefers-contrast: more) { :root { --line: var(--muted); } }

            """)
}
