extension DemoPage {
    static let style = """
        :root {
          color-scheme: light dark;
          --ground: #f1efea; --surface: #fcfbf8; --text: #1b1d26; --muted: #5a5a66; --line: #d9d5cb; --raised: #ebe8e0;
          --accent: #7d5208; --strong: #222638; --on-strong: #fdfcfa; --glow: rgb(214 158 54 / 0.16);
          --good: #1c5f3a; --good-ground: #e1f0e6; --bad: #98231c; --bad-ground: #f9e4e0; --calm-ground: #ebe8e0;
          --case: #2a2d3b; --case-line: #454958;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101219; --surface: #181b25; --text: #eceae4; --muted: #a9a8b1; --line: #313645; --raised: #232735;
            --accent: #e6b04a; --strong: #e6b04a; --on-strong: #211603; --glow: rgb(230 176 74 / 0.09);
            --good: #8ed9aa; --good-ground: #163325; --bad: #ffaea5; --bad-ground: #43201d; --calm-ground: #262b39;
            --case: #2b2f3d; --case-line: #474c5c;
          }
        }
        *, ::before, ::after { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--ground); color: var(--text);
          font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        h1, h2, h3, p, dl, dd, ol { margin: 0; padding: 0; }
        ol { list-style: none; }
        code { font: 0.8125rem/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        h3:focus { outline: none; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

        .bar {
          display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; max-width: 74rem; margin: 0 auto;
          padding: 1.5rem 1.5rem 0.5rem;
        }
        .bar h1 { display: flex; align-items: center; gap: 0.55rem; font-size: 1.125rem; font-weight: 650; letter-spacing: -0.01em; }
        .bar h1 span:last-child { font-weight: 400; color: var(--muted); }
        .bar p { color: var(--muted); }
        .latch {
          width: 1rem; height: 1rem; border: 0.22rem solid var(--accent); border-radius: 50%; border-right-color: transparent;
        }
        .connection { max-width: 71rem; margin: 0.5rem auto; padding: 0.6rem 0.9rem; border-radius: 8px; background: var(--bad-ground); color: var(--bad); }
        main {
          display: grid; grid-template-columns: 21.5rem minmax(0, 1fr); gap: 3rem; align-items: start; max-width: 74rem;
          margin: 0 auto; padding: 1rem 1.5rem 2rem;
        }
        footer { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem 2rem; color: var(--muted); font-size: 0.8125rem; }
        footer p { max-width: 46rem; }

        .device {
          padding: 0.6rem; border-radius: 2.6rem; background: var(--case);
          box-shadow: inset 0 0 0 1px var(--case-line), 0 0 5rem 1.5rem var(--glow), 0 1.2rem 2.2rem -1.2rem rgb(0 0 0 / 0.45);
        }
        .glass {
          position: relative; display: flex; flex-direction: column; min-height: 37.5rem; overflow: hidden; border-radius: 2.05rem;
          background: var(--surface);
        }
        .status {
          display: flex; justify-content: space-between; padding: 1rem 1.5rem 0; color: var(--muted); font-size: 0.8125rem;
          letter-spacing: 0.02em;
        }
        #lock-state::before {
          content: ""; display: inline-block; width: 0.5rem; height: 0.5rem; margin-right: 0.4rem; border: 2px solid var(--muted);
          border-radius: 50%; vertical-align: 0.02em;
        }
        #lock-state[data-open=true]::before { border-color: var(--accent); border-right-color: transparent; }
        .view { flex: 1; display: flex; flex-direction: column; padding: 1.5rem; }
        .view h3, .sheet h3 { font-size: 1.5rem; font-weight: 600; line-height: 1.2; letter-spacing: -0.02em; overflow-wrap: anywhere; }
        .text { color: var(--muted); text-wrap: pretty; }

        .app { padding-top: 2.25rem; }
        .emblem {
          display: none; width: 5.5rem; height: 5.5rem; margin: 2.75rem 0 2.25rem; border: 0.9rem solid var(--accent); border-radius: 50%;
        }
        .app[data-name=welcome] .emblem, .app[data-name=locked] .emblem, .app[data-name=blocked] .emblem { display: block; }
        .app[data-name=welcome] .emblem { border-right-color: var(--raised); }
        .app[data-name=blocked] .emblem { border-color: var(--bad); }
        .app .text { margin-top: 0.6rem; }
        .app dl { margin-top: 1.1rem; border-top: 1px solid var(--line); }
        .app dl div { padding: 0.55rem 0; border-bottom: 1px solid var(--line); }
        .app dt { color: var(--muted); font-size: 0.8125rem; line-height: 1.3; }
        .app dd { overflow-wrap: anywhere; }
        .message { margin-top: 1rem; padding: 0.6rem 0.8rem; border-radius: 12px; background: var(--calm-ground); }
        .message[data-tone=good] { background: var(--good-ground); color: var(--good); }
        .message[data-tone=bad] { background: var(--bad-ground); color: var(--bad); }
        .work { margin-top: 1rem; color: var(--muted); }
        .work::after { content: "…"; }
        .actions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; margin-top: auto; padding-top: 1.25rem; }
        .actions button { padding: 0.4rem 0.3rem; }
        .actions .primary { grid-column: 1 / -1; }

        button {
          min-height: 2.75rem; padding: 0.45rem 0.7rem; font: inherit; font-size: 0.875rem; font-weight: 550; line-height: 1.25;
          color: var(--text); background: var(--raised); border: 1px solid transparent; border-radius: 12px; cursor: pointer;
          touch-action: manipulation;
        }
        /* Not the pad's keys: where fingers touch, the one that was pressed last stays marked. */
        button:not(.keys button):hover { border-color: var(--muted); }
        button.primary { min-height: 3.1rem; font-size: 1rem; color: var(--on-strong); background: var(--strong); }
        button.grave { color: var(--bad); background: var(--bad-ground); }
        button[aria-disabled=true] { color: var(--muted); cursor: default; opacity: 0.55; border-color: transparent; }

        .pad { align-items: center; padding-top: 1.4rem; text-align: center; }
        .pad .text { margin-top: 0.25rem; min-height: 1.5rem; }
        .circles { display: flex; justify-content: center; align-items: center; gap: 0.9rem; min-height: 3.6rem; }
        .circles span { width: 0.85rem; height: 0.85rem; border: 2px solid var(--muted); border-radius: 50%; }
        .circles span.full { background: var(--accent); border-color: var(--accent); }
        .word { min-height: 3rem; max-width: 17rem; color: var(--muted); font-size: 0.875rem; line-height: 1.45; }
        .word[data-tone=bad] { color: var(--bad); }
        .countdown {
          margin: -0.25rem 0 0.75rem; padding: 0.2rem 0.9rem; border-radius: 1rem; background: var(--bad-ground); color: var(--bad);
          font-variant-numeric: tabular-nums;
        }
        .keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.5rem; width: 100%; margin-top: auto; }
        .keys button { min-height: 3.6rem; padding: 0; font-size: 1.5rem; font-weight: 500; border-radius: 16px; font-variant-numeric: tabular-nums; }
        .keys button:active { background: var(--line); }
        .keys button[aria-disabled=true] { opacity: 0.8; }
        .keys [data-event=delete], .keys [data-event=biometrics] { background: none; color: var(--accent); }
        svg { width: 1.6rem; height: 1.6rem; fill: none; stroke: currentcolor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; vertical-align: middle; }
        .others { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.5rem; width: 100%; margin-top: 0.6rem; }
        .others button { background: none; color: var(--accent); }
        .others [data-event=submit] { flex: 1 0 100%; background: var(--raised); }
        .others [data-event=give-up] { flex: 1 0 100%; color: var(--bad); background: var(--bad-ground); }
        .others:has([data-event=give-up]) { margin-top: auto; gap: 0.4rem; }

        .sheet {
          position: absolute; inset: auto 0 0 0; display: flex; flex-direction: column; align-items: center; padding: 2rem 1.5rem 1.25rem;
          border-radius: 1.6rem 1.6rem 2.05rem 2.05rem; background: var(--surface); text-align: center;
          box-shadow: 0 -1px 0 var(--line), 0 -1.5rem 4rem rgb(0 0 0 / 0.28);
        }
        .app[inert] { opacity: 0.35; }
        .sheet h3 { margin-top: 1rem; font-size: 1.125rem; }
        .finger { padding: 0.9rem; border-radius: 50%; background: var(--raised); color: var(--accent); line-height: 0; }
        .finger svg { width: 2.75rem; height: 2.75rem; stroke-width: 1.4; }

        .beside { margin-top: 1.5rem; }
        .beside h3 { margin: 0.75rem 0 0.4rem; color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
        h2 { font-size: 1.0625rem; font-weight: 650; letter-spacing: -0.005em; }
        .row { display: flex; flex-wrap: wrap; gap: 0.5rem; }
        .row button { min-height: 2.5rem; padding: 0.3rem 0.8rem; font-weight: 500; background: var(--surface); border-color: var(--line); }

        .server > .text { max-width: 44rem; margin-top: 0.25rem; }
        .tries { margin-top: 0.9rem; padding: 0.55rem 1.1rem; border: 1px dashed var(--line); border-radius: 14px; }
        .tries summary { color: var(--text); }
        .tries ol { padding-bottom: 0.35rem; color: var(--muted); }
        .log { margin-top: 1rem; }
        .event {
          position: relative; margin-bottom: 0.75rem; padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: 14px;
          background: var(--surface);
        }
        .event.refused { border-color: var(--bad); }
        .event h3 { font-size: 1rem; font-weight: 600; }
        .about { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.75rem; color: var(--muted); font-size: 0.8125rem; }
        .about .time { margin-left: auto; font-variant-numeric: tabular-nums; }
        .sender { color: var(--text); }
        .answer { padding: 0 0.45rem; border-radius: 0.6rem; background: var(--good-ground); color: var(--good); font-variant-numeric: tabular-nums; }
        .refused .answer { background: var(--bad-ground); color: var(--bad); }
        .event dl { display: grid; gap: 0.1rem; margin-top: 0.5rem; }
        .event dl div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 0.75rem; }
        .event dt { color: var(--muted); }
        .event dd { overflow-wrap: anywhere; }
        details { margin-top: 0.6rem; }
        summary { padding: 0.15rem 0; color: var(--good); cursor: pointer; border-radius: 4px; }
        details ol { counter-reset: step; margin-top: 0.3rem; }
        details li { position: relative; padding: 0.18rem 0 0.18rem 2.1rem; counter-increment: step; }
        details li::before {
          content: counter(step); position: absolute; left: 0; top: 0.28rem; width: 1.4rem; border-radius: 0.7rem; background: var(--good-ground);
          color: var(--good); font-size: 0.75rem; line-height: 1.4rem; text-align: center; font-variant-numeric: tabular-nums;
        }
        details li span { display: block; }
        details li code, .audit code { color: var(--muted); }
        .audit {
          display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; margin-top: 0.6rem; padding-top: 0.5rem;
          border-top: 1px solid var(--line); font-size: 0.8125rem;
        }
        .audit span { color: var(--accent); }
        .audit .hash { margin-left: auto; }

        .tries li::before { background: var(--raised); color: var(--text); }

        @media (min-width: 60.01rem) and (min-height: 64rem) { .near { position: sticky; top: 1.25rem; } }
        @media (max-width: 60rem) {
          main { grid-template-columns: minmax(0, 1fr); gap: 2rem; max-width: 40rem; }
          .bar, footer { max-width: 40rem; }
          .phone { max-width: 21.5rem; margin: 0 auto; }
        }
        @media (max-width: 30rem) {
          .bar { padding: 1.1rem 1rem 0.25rem; }
          main { padding: 0.75rem 0.5rem 1.5rem; }
          footer { padding: 0 1rem 1.5rem; }
          .beside, .server > .text, .server > h2 { padding: 0 0.5rem; }
          .device { padding: 0.4rem; border-radius: 2.2rem; }
          .glass { border-radius: 1.85rem; }
          .event dl div { grid-template-columns: minmax(0, 1fr); padding-bottom: 0.25rem; }
        }
        @media (prefers-contrast: more) { :root { --line: var(--muted); } }
        @media (forced-colors: active) { .circles span.full { background: CanvasText; } .device, button { border: 1px solid; } }
        @media (prefers-reduced-motion: no-preference) {
          button { transition: background-color 0.12s, border-color 0.12s; }
          .circles.busy span { animation: wait 0.9s ease-in-out infinite alternate; }
          .circles.shaken { animation: shake 0.38s; }
          .sheet, .event { animation: rise 0.22s ease-out; }
          @keyframes shake { 20%, 60% { transform: translateX(-0.45rem); } 40%, 80% { transform: translateX(0.45rem); } }
          @keyframes wait { to { opacity: 0.35; } }
          @keyframes rise { from { transform: translateY(0.6rem); } }
        }

        """
}
