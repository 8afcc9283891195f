extension DemoPage {
    /// The controls beside the phone, and the events of the server.
    static let serverStyle = """
        .beside { margin-top: 1.5rem; }
        .beside h3 { margin: 0.75rem 0 0.4rem; color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
        h2 { font-size: 1.0625rem; font-weight: 650; letter-spacing: -0.005em; }
        .row { display: flex; flex-wrap: wrap; gap: 0.5rem; }
        .row :is(button, a) { min-height: 2.5rem; padding: 0.3rem 0.8rem; font-weight: 500; background: var(--surface); border-color: var(--line); }

        .server > .text { max-width: 44rem; margin-top: 0.25rem; }
        .log { margin-top: 1rem; }
        .event {
          position: relative; margin-bottom: 0.75rem; padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: var(--card-corner);
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
        .older > summary { color: var(--text); }
        summary { padding: 0.15rem 0; color: var(--good); cursor: pointer; border-radius: 4px; }
        .event details ol { counter-reset: step; margin-top: 0.3rem; }
        .event details li { position: relative; padding: 0.18rem 0 0.18rem 2.1rem; counter-increment: step; }
        .event details li::before {
          content: counter(step); position: absolute; left: 0; top: 0.28rem; width: 1.4rem; border-radius: 0.7rem; background: var(--good-ground);
          color: var(--good); font-size: 0.75rem; line-height: 1.4rem; text-align: center; font-variant-numeric: tabular-nums;
        }
        .event details li span { display: block; }
        .event details li code, .audit code { color: var(--muted); }
        .signed summary { color: var(--accent); }
        .signed .label { margin-top: 0.4rem; color: var(--muted); font-size: 0.8125rem; }
        pre {
          margin: 0.2rem 0 0; padding: 0.5rem 0.75rem; border-radius: var(--corner); background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere;
          font: 0.75rem/1.5 var(--code-font);
        }
        .copy { min-height: 2rem; margin-top: 0.4rem; padding: 0.15rem 0.8rem; }
        .audit {
          display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; margin-top: 0.6rem; padding-top: 0.5rem;
          border-top: 1px solid var(--line); font-size: 0.8125rem;
        }
        .audit span { color: var(--accent); }
        .audit .hash { margin-left: auto; }

        """
}
