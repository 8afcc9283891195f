import NightlatchServer

/// The page's script. It asks for the state every two seconds, and loads the page again when the state has changed.
///
/// It asks less often while the server does not answer, and not while the page is hidden. It stops when the login has
/// expired.
enum LoginPageScript {
    static let script = InlineScript(
        """
        "use strict";
        {
          const { state, page, poll, seconds, changed } = document.querySelector("main").dataset;
          const status = document.querySelector("[role=status]");
          const end = Date.now() + 1000 * seconds;
          let pause = 2000, timer = 0, isAsking = false;
          const look = async () => {
            if (isAsking) return;
            isAsking = true;
            clearTimeout(timer);
            try {
              const answer = await fetch(poll, { cache: "no-store" });
              if (!answer.ok && answer.status !== 404) throw answer.status;
              if ((await answer.json()).state !== state) {
                status.textContent = changed;
                location.replace(page);
                return;
              }
              pause = 2000;
            } catch {
              pause = Math.min(2 * pause, 30000);
            }
            isAsking = false;
            if (!document.hidden && Date.now() < end) timer = setTimeout(look, pause);
          };
          document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
          timer = setTimeout(look, pause);
        }
        """)
}
