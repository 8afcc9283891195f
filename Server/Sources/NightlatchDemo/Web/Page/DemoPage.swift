/// The page's files. They are Swift strings, like the console's, because an installed program has no resource folder.
enum DemoPage {
    static let document = """
        <!doctype html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <title>Nightlatch demonstration</title>
          <link rel="icon" href="icon.svg">
          <link rel="stylesheet" href="style.css">
          <script src="script.js" defer></script>
        </head>
        <body>
          <header class="bar">
            <h1><span class="latch" aria-hidden="true"></span>Nightlatch <span>demonstration</span></h1>
            <p>A phone and its server, both real. All of it runs on this machine.</p>
          </header>
          <p id="connection" class="connection" role="alert" hidden></p>
          <noscript><p class="connection">This page needs JavaScript.</p></noscript>
          <main>
            <div class="near">
              <section class="phone" aria-labelledby="phone-title">
                <h2 id="phone-title" class="unseen">Alice’s phone</h2>
                <div class="device">
                  <div id="glass" class="glass">
                    <p class="status"><span>Harbour</span><span id="lock-state"></span></p>
                    <div id="app" class="view app">
                      <div class="emblem" aria-hidden="true"></div>
                      <h3 id="app-title" tabindex="-1"></h3>
                      <p id="app-text" class="text"></p>
                      <dl id="app-facts"></dl>
                      <div id="number" class="number" hidden>
                        <div id="number-digits" class="digits" role="img"></div>
                        <div id="number-keys" class="keys"></div>
                      </div>
                      <div id="sign-in" class="sign-in" hidden>
                        <label for="password">Password</label>
                        <input id="password" type="password" autocomplete="off">
                      </div>
                      <p id="app-message" class="message" hidden></p>
                      <p id="app-work" class="work" hidden>Working</p>
                      <div id="app-actions" class="actions"></div>
                    </div>
                    <div id="pad" class="view pad" hidden>
                      <h3 id="pad-title" tabindex="-1"></h3>
                      <p id="pad-hint" class="text"></p>
                      <div id="pad-circles" class="circles" role="img"></div>
                      <p id="pad-message" class="word"></p>
                      <p id="pad-countdown" class="countdown" role="timer" hidden></p>
                      <div id="pad-keys" class="keys"></div>
                      <div id="pad-others" class="others"></div>
                    </div>
                    <div id="sheet" class="sheet" hidden>
                      <div class="finger" aria-hidden="true" id="sheet-icon"></div>
                      <h3 id="sheet-title" tabindex="-1"></h3>
                      <p class="text">Touch the sensor</p>
                      <div id="sheet-actions" class="others"></div>
                    </div>
                  </div>
                </div>
                <p id="announcer" class="unseen" role="status"></p>
              </section>
              <section class="beside" aria-labelledby="beside-title">
                <h2 id="beside-title">Beside the phone</h2>
                <div id="known-password" hidden>
                  <h3>What Alice knows</h3>
                  <p>Her password at Harbour is <code>\(DemoBackend.password)</code>.</p>
                </div>
                <h3>The finger on the sensor</h3>
                <div id="fingers" class="row"></div>
                <h3>The app’s backend</h3>
                <div id="backend" class="row"></div>
                <h3>The server’s operator</h3>
                <div id="operator" class="row"></div>
                <div id="shop" hidden>
                  <h3>A web shop, where Alice logs in with this phone</h3>
                  <div class="row"><a class="button" href="shop" target="_blank" rel="noopener">Open the shop</a></div>
                </div>
              </section>
            </div>
            <div class="far">
              <section class="guide" aria-labelledby="guide-title">
                <div>
                  <h2 id="guide-title"></h2>
                  <p id="guide-text"></p>
                  <div id="guide-row" class="row">
                    <div id="guide-action"></div>
                    <a id="guide-shop" class="button" href="shop" target="_blank" rel="noopener" hidden>Open the shop</a>
                  </div>
                </div>
                <ol id="guide-steps" aria-label="What to try"></ol>
              </section>
              <section class="server" aria-labelledby="server-title">
                <h2 id="server-title">What the server sees</h2>
                <p class="text">Every request, the steps of its verification, numbered as in docs/protocol.md, and the
                  entries of the audit log. Of a token it shows only the length and a hash.</p>
                <ol id="log" class="log"></ol>
                <details id="older" class="older" hidden>
                  <summary id="older-title"></summary>
                  <ol id="older-log" class="log"></ol>
                </details>
              </section>
            </div>
          </main>
          <footer>
            <p>This is a demonstration: the page sends pressed keys to the program. An app
              keeps typed digits in memory that is wiped, and shows them nowhere. Digits, Backspace and Escape work on a keyboard too.</p>
          </footer>
        </body>
        </html>

        """

    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#171b22"/>\
        <path d="M22 10a8.5 8.5 0 1 0 0 12" fill="none" stroke="#93b8ff" stroke-width="4" stroke-linecap="round"/></svg>
        """
}
