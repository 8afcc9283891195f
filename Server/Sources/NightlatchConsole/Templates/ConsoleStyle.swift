import NightlatchServer

/// The console's style sheet, the only file that its pages load.
enum ConsoleStyle {
    static let sheet = StyleSheet(StyleSheet.common + text)

    private static let text = """
        body {
          margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--text);
          font: 0.9375rem/1.5 var(--text-font);
        }
        a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
        a:hover { text-decoration-thickness: 2px; }
        main:focus { outline: none; }
        .skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 0.75rem; background: var(--surface); z-index: 1; }
        .skip:focus { top: 0.5rem; }

        .bar {
          display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.75rem; padding: 0 max(1.5rem, calc(50% - 36.5rem));
          background: var(--surface); border-bottom: 1px solid var(--line);
        }
        .brand { margin: 0; font-weight: 650; letter-spacing: -0.01em; }
        .brand a { display: flex; align-items: center; gap: 0.5rem; min-height: 3.25rem; color: inherit; text-decoration: none; }
        .brand a > span:last-child { font-weight: 400; color: var(--muted); }
        .bar nav { flex: 1; }
        .bar form { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.25rem; margin-right: -0.6rem; }
        .who { max-width: 16rem; color: var(--muted); font-size: 0.8125rem; overflow-wrap: anywhere; }
        .bar nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem; margin: 0; padding: 0; list-style: none; }
        .bar nav a {
          display: block; padding: 0.95rem 0.7rem 0.8rem; color: var(--muted); text-decoration: none; border-bottom: 3px solid transparent;
        }
        .bar nav a:hover { color: var(--text); border-bottom-color: var(--line); }
        .bar nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }

        main { flex: 1; width: 100%; max-width: 76rem; margin: 0 auto; padding: 1.5rem; }
        footer { padding: 1rem 1.5rem 1.5rem; color: var(--muted); font-size: 0.8125rem; }
        footer p { max-width: 73rem; margin: 0 auto; overflow-wrap: anywhere; }
        h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; overflow-wrap: anywhere; }
        h2 { margin: 2rem 0 0.75rem; font-size: 1.0625rem; line-height: 1.3; letter-spacing: -0.005em; }
        p { margin: 0 0 1rem; max-width: 46rem; }
        .above { margin-bottom: 0.35rem; font-size: 0.8125rem; color: var(--muted); }
        .above ol { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
        .above li + li::before { content: "/"; margin-right: 0.35rem; color: var(--muted); }

        .message > :last-child { margin-bottom: 0; }
        .message, .problem { padding: 0.6rem 0.9rem; border-left: 4px solid; border-radius: var(--corner); }
        .message { background: var(--good-ground); color: var(--good); }
        .problem { background: var(--bad-ground); color: var(--bad); }
        .hint { margin: 0.35rem 0 0; color: var(--muted); font-size: 0.8125rem; }
        .empty { padding: 0.9rem 1rem; max-width: none; color: var(--muted); border: 1px dashed var(--line); border-radius: var(--card-corner); }

        .panel { padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--card-corner); }
        .narrow { max-width: 36rem; padding: 1.25rem; }
        .panel > :last-child { margin-bottom: 0; }
        .search { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: flex-start; margin-bottom: 1.5rem; }
        .search .field { flex: 1 1 15rem; max-width: 28rem; }
        .search .short { flex: 0 1 12rem; }
        .search button { margin-top: 1.65rem; }
        .narrow .field { margin-bottom: 1.1rem; }
        label { display: block; margin-bottom: 0.3rem; font-weight: 600; font-size: 0.8125rem; line-height: 1.35rem; }
        input, select, textarea {
          width: 100%; min-height: 2.5rem; padding: 0.4rem 0.65rem; font: inherit; color: inherit; background: var(--ground);
          border: 1px solid var(--muted); border-radius: var(--corner);
        }
        textarea { font: 0.8125rem/1.5 var(--code-font); resize: vertical; }
        .check { display: grid; grid-template-columns: 1.5rem 1fr; align-items: center; gap: 0 0.6rem; }
        .check input { width: 1.5rem; min-height: 1.5rem; margin: 0; accent-color: var(--accent); }
        .check label { margin: 0; }
        .check .hint { grid-column: 2; margin-top: 0; }
        input[aria-invalid] { border: 2px solid var(--bad); }
        button, .button {
          display: inline-block; min-height: 2.5rem; padding: 0.45rem 1.1rem; font: inherit; font-weight: 600; line-height: 1.5;
          color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: var(--corner); cursor: pointer;
          text-decoration: none;
        }
        button:hover, .button:hover { filter: brightness(1.1); }
        .button { min-width: 8.5rem; text-align: center; color: var(--accent); background: transparent; border-color: currentColor; }
        .button.grave { color: var(--grave); }
        button.grave { color: var(--on-grave); background: var(--grave); }
        button.quiet { padding: 0.45rem 0.6rem; font-weight: 400; color: var(--muted); background: none; }
        button.quiet:hover { color: var(--text); text-decoration: underline; }
        .choice { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; margin: 1.25rem 0 0; }
        .actions { margin: 0; padding: 0; list-style: none; }
        .actions li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1rem; padding: 0.4rem 0; }
        .actions span { flex: 1 1 16rem; color: var(--muted); }

        dl { margin: 0 0 1rem; }
        dl.facts { max-width: 56rem; padding: 0.2rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--card-corner); }
        .panel dl.facts { padding: 0; border: 0; }
        dl div { display: grid; grid-template-columns: 13rem 1fr; gap: 0.1rem 1rem; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
        dl div:last-child { border-bottom: 0; }
        dt { color: var(--muted); }
        dd { margin: 0; overflow-wrap: anywhere; }
        .narrow dl div { grid-template-columns: 9rem 1fr; }
        .narrow ul { margin: 0 0 1rem; padding-left: 1.2rem; }

        table { width: 100%; margin-bottom: 0.9rem; border-collapse: collapse; background: var(--surface); border: 1px solid var(--line); }
        caption { padding: 0 0 0.4rem; text-align: left; color: var(--muted); font-size: 0.8125rem; }
        th, td { padding: 0.45rem 0.85rem; text-align: left; vertical-align: baseline; }
        th a, td a { overflow-wrap: anywhere; }
        td code { white-space: nowrap; }
        .claims { overflow-wrap: anywhere; }
        thead th { font-size: 0.8125rem; font-weight: 600; color: var(--muted); background: var(--raised); white-space: nowrap; }
        tbody th { font-weight: 600; }
        tbody tr { border-top: 1px solid var(--line); }
        tbody tr:hover { background: var(--raised); }
        .number { text-align: right; }
        td, time { font-variant-numeric: tabular-nums; }
        time { white-space: nowrap; }
        .pages { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin: 0; }
        .below { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1.5rem; margin: 0.5rem 0 1rem; }
        .letters { display: flex; flex-wrap: wrap; gap: 0.15rem 0.2rem; margin: 0 0 0.75rem; padding: 0; list-style: none; }
        .letters a { display: block; min-width: 1.7rem; padding: 0.15rem 0.35rem; text-align: center; text-decoration: none; border-radius: var(--corner); }
        .letters a:hover { background: var(--raised); text-decoration: underline; }
        .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.75rem; margin: 0 0 0.75rem; padding: 0; list-style: none; }
        .figures a {
          display: block; height: 100%; padding: 0.7rem 1rem; color: inherit; text-decoration: none; background: var(--surface);
          border: 1px solid var(--line); border-radius: var(--card-corner);
        }
        .figures a:hover { border-color: var(--accent); }
        .figures strong { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; color: var(--accent); }
        .counts { max-width: 40rem; }
        .part th { padding-left: 2rem; font-weight: 400; }
        td code.id { white-space: normal; }
        .row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
        .row button.quiet { min-height: 0; padding: 0; color: var(--accent); text-decoration: underline; }

        .state {
          display: inline-block; padding: 0 0.55rem; border-radius: 1rem; font-size: 0.8125rem; line-height: 1.45rem; white-space: nowrap;
          background: var(--calm-ground); color: var(--text);
        }
        .state.active, .state.confirmed, .state.ready, .state.intact { background: var(--good-ground); color: var(--good); }
        .state.blocked, .state.pending { background: var(--warn-ground); color: var(--warn); }
        .state.revoked, .state.rejected, .state.unavailable, .state.damaged { background: var(--bad-ground); color: var(--bad); }

        @media (max-width: 48rem) {
          .bar { padding: 0 1rem; justify-content: space-between; gap: 0 1rem; }
          .bar nav { order: 3; flex: 1 0 100%; margin: 0 -0.7rem; }
          .bar nav a { padding: 0.5rem 0.7rem 0.45rem; }
          main { padding: 1.25rem 1rem; }
          footer { padding: 1rem; }
          dl div, .narrow dl div { grid-template-columns: 1fr; }
          table, tbody, tr, th, td, caption { display: block; }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table { border: 0; background: none; }
          tbody tr { display: flex; flex-direction: column; margin-bottom: 0.6rem; padding: 0.35rem 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--card-corner); }
          th, td { padding: 0.2rem 0.85rem; text-align: left; }
          td { display: grid; grid-template-columns: 7rem 1fr; gap: 0.75rem; justify-items: start; }
          tbody th { order: -1; }
          td code { white-space: normal; }
          td::before { content: attr(data-label); color: var(--muted); font-size: 0.8125rem; line-height: 1.45rem; }
          .search button { margin-top: 0; }
          .button { min-width: 0; width: 100%; }
        }
        @media (prefers-contrast: more) { :root { --line: var(--muted); } }
        @media (forced-colors: active) { .state { border: 1px solid; } .bar nav a[aria-current] { text-decoration: underline; } }
        @media (prefers-reduced-motion: no-preference) { a, button, .button { transition: color 0.1s, border-color 0.1s, filter 0.1s; } }

        """
}
