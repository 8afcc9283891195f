import NightlatchServer

/// The page's style sheet, the only file that it loads.
enum LoginPageStyle {
    static let sheet = StyleSheet(
        StyleSheet.common + """
            body {
              margin: 0; min-height: 100vh; padding-top: 1.5rem; display: flex; flex-direction: column; align-items: center;
              background: var(--ground); color: var(--text);
              font: 1rem/1.5 var(--text-font);
            }
            main {
              width: 100%; max-width: 30rem; margin: auto; padding: 2rem; background: var(--surface);
              border: 1px solid var(--line); border-radius: var(--card-corner); overflow-wrap: anywhere;
            }
            footer { padding: 1rem; color: var(--muted); font-size: 0.8125rem; overflow-wrap: anywhere; text-align: center; }
            h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
            h2 { margin: 0 0 0.75rem; font-size: 1.0625rem; line-height: 1.3; }
            p { margin: 0 0 1rem; }
            .app { margin-bottom: 0.25rem; color: var(--muted); }
            .hint { color: var(--muted); font-size: 0.875rem; }

            .code { display: block; width: 100%; max-width: 18rem; height: auto; margin: 1.25rem auto; border-radius: var(--corner); forced-color-adjust: none; }
            .number {
              display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; margin-bottom: 1.25rem; padding: 0.75rem 1.25rem;
              background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner);
            }
            .number dl { margin: 0; display: flex; align-items: baseline; gap: 0.75rem; }
            .number dt { color: var(--muted); }
            .number dd { margin: 0; font-size: 2.5rem; line-height: 1.2; font-weight: 650; letter-spacing: 0.08em; font-variant-numeric: tabular-nums; }
            .number p { flex: 1 1 12rem; margin: 0; }
            ol { margin: 0 0 1.25rem; padding-left: 1.4rem; }
            li { padding: 0.15rem 0; }

            section { margin: 1.5rem 0; padding-top: 1.5rem; border-top: 1px solid var(--line); }
            label { display: block; margin-bottom: 0.3rem; font-weight: 600; }
            input {
              width: 100%; min-height: 3rem; margin-bottom: 0.4rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit;
              background: var(--ground); border: 1px solid var(--field); border-radius: var(--corner);
            }
            input[aria-invalid] { border: 2px solid var(--bad); }
            .problem { margin-bottom: 0.5rem; color: var(--bad); font-weight: 600; }
            button, .button {
              display: block; width: 100%; min-height: 3rem; padding: 0.6rem 1.1rem; font: inherit; font-weight: 600; text-align: center;
              color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: var(--corner); cursor: pointer;
              text-decoration: none; overflow-wrap: anywhere;
            }
            button:hover, .button:hover { filter: brightness(1.1); }
            button.quiet { color: var(--accent); background: none; font-weight: 400; text-decoration: underline; text-underline-offset: 0.15em; }
            a { color: var(--accent); text-underline-offset: 0.15em; }
            form + form { margin-top: 0.5rem; }
            summary { min-height: 2rem; padding: 0.25rem 0; color: var(--accent); cursor: pointer; }
            details { margin-bottom: 1rem; }
            details p { margin: 0.25rem 0 0; }

            .status { display: flex; align-items: center; gap: 0.75rem; color: var(--muted); }
            .status::before {
              content: ""; flex: none; width: 0.75rem; height: 0.75rem; border-radius: 50%; background: var(--accent);
            }
            @media (prefers-reduced-motion: no-preference) {
              .status::before { animation: wait 1.6s ease-in-out infinite alternate; }
              @keyframes wait { to { opacity: 0.25; } }
            }
            @media (max-width: 32rem) {
              body { padding-top: 0; background: var(--surface); }
              main { margin: 0 auto; padding: 1.25rem 1rem; border: 0; border-radius: 0; }
            }
            @media (prefers-contrast: more) { :root { --line: var(--muted); --field: var(--text); } }
            @media (forced-colors: active) { .status::before { background: CanvasText; } button, .button { border-color: currentColor; } }

            """)
}
