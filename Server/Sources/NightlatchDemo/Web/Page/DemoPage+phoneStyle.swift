extension DemoPage {
    /// The phone: its case, the app, the pad, and the sheet of the sensor.
    static let phoneStyle = """
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
        .app:is([data-name=welcome], [data-name=locked], [data-name=blocked], [data-name^=login-]) .emblem { display: block; }
        .app[data-name=welcome] .emblem { border-right-color: var(--raised); }
        .app:is([data-name=blocked], [data-name=login-refused]) .emblem { border-color: var(--bad); }
        .app[data-name=login-confirmed] .emblem { border-color: var(--good); }
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
        /* One that has no other beside it takes the whole width. */
        .actions .primary, .actions .primary ~ :last-child:nth-child(even) { grid-column: 1 / -1; }

        .sign-in { margin-top: 1.1rem; }
        .sign-in label { display: block; color: var(--muted); font-size: 0.8125rem; }
        .sign-in input {
          width: 100%; min-height: 2.9rem; margin-top: 0.2rem; padding: 0.4rem 0.8rem; border: 1px solid var(--muted); border-radius: 12px;
          font: inherit; color: inherit; background: var(--ground);
        }
        .number { display: flex; flex-direction: column; flex: 1; margin-top: 1rem; }
        .digits { display: flex; justify-content: center; gap: 0.6rem; }
        .digits span {
          width: 3rem; border: 2px solid var(--line); border-radius: 12px; font-size: 1.75rem; font-weight: 600; line-height: 3.25rem;
          text-align: center; font-variant-numeric: tabular-nums;
        }
        .digits span:not(:empty) { border-color: var(--accent); }
        .number .keys button { min-height: 2.9rem; }

        button, a.button {
          min-height: 2.75rem; padding: 0.45rem 0.7rem; font: inherit; font-size: 0.875rem; font-weight: 550; line-height: 1.25;
          color: var(--text); background: var(--raised); border: 1px solid transparent; border-radius: 12px; cursor: pointer;
          touch-action: manipulation;
        }
        a.button { display: inline-flex; align-items: center; text-decoration: none; }
        /* Not the pad's keys: where fingers touch, the one that was pressed last stays marked. */
        button:not(.keys button):hover, a.button:hover { border-color: var(--muted); }
        button.primary { min-height: 3.1rem; font-size: 1rem; color: var(--on-accent); background: var(--accent); }
        button.grave { color: var(--bad); background: var(--bad-ground); }
        button.primary[aria-disabled=true] { background: var(--raised); }
        button[aria-disabled=true] { color: var(--muted); cursor: default; opacity: 0.55; border-color: transparent; }

        .pad { align-items: center; padding-top: 1.4rem; text-align: center; }
        .pad .text { margin-top: 0.25rem; min-height: 1.5rem; max-width: 18rem; color: var(--text); font-weight: 550; text-wrap: balance; }
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
        .keys [data-event$=delete], .keys [data-event=biometrics] { background: none; color: var(--accent); }
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
        .sheet h3 { margin-top: 1rem; font-size: 1.25rem; text-wrap: balance; }
        .finger { padding: 0.9rem; border-radius: 50%; background: var(--raised); color: var(--accent); line-height: 0; }
        .finger svg { width: 2.75rem; height: 2.75rem; stroke-width: 1.4; }

        """
}
