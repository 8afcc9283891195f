import NightlatchServer

/// The page's style sheets.
extension DemoPage {
    static let style =
        StyleSheet.common + caseColours + groundStyle + phoneStyle + guideStyle + serverStyle + circumstanceStyle

    /// The colours of the phone's case.
    private static let caseColours = """
        :root { --case: #23272f; --case-line: #454c58; --glow: rgb(35 80 199 / 0.12); }
        @media (prefers-color-scheme: dark) { :root { --case: #2a303a; --case-line: #474f5d; --glow: rgb(147 184 255 / 0.08); } }

        """

    /// Fonts and layout.
    private static let groundStyle = """
        [hidden] { display: none !important; }
        body {
          margin: 0; background: var(--ground); color: var(--text);
          font: 0.9375rem/1.5 var(--text-font);
        }
        h1, h2, h3, p, dl, dd, ol { margin: 0; padding: 0; }
        ol { list-style: none; }
        h3:focus { outline: none; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

        .bar {
          display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; max-width: 86rem; margin: 0 auto;
          padding: 0.9rem 1.5rem 0.4rem;
        }
        .bar h1 { display: flex; align-items: center; gap: 0.55rem; font-size: 1.125rem; font-weight: 650; letter-spacing: -0.01em; }
        .bar h1 span:last-child { font-weight: 400; color: var(--muted); }
        .bar p { color: var(--muted); }
        .connection { max-width: 83rem; margin: 0.5rem auto; padding: 0.6rem 0.9rem; border-radius: var(--corner); background: var(--bad-ground); color: var(--bad); }
        main {
          display: grid; grid-template-columns: 21.5rem minmax(0, 1fr); gap: 2.5rem; align-items: start; max-width: 86rem;
          margin: 0 auto; padding: 0.6rem 1.5rem 2rem;
        }
        footer { max-width: 86rem; margin: 0 auto; padding: 0 1.5rem 2rem; color: var(--muted); font-size: 0.8125rem; }
        footer p { max-width: 46rem; }

        """

    /// Differences for narrow screens, and for users who prefer more contrast, forced colours or less motion.
    private static let circumstanceStyle = """
        /* The phone fits a low window, and what a person presses beside it moves neither amount nor payee out of sight. */
        @media (min-width: 60.01rem) {
          .glass { min-height: min(37.5rem, 100vh - 6.4rem); }
        }
        @media (min-width: 60.01rem) and (max-height: 44rem) {
          .view { padding-top: 1rem; }
          .app { padding-top: 1.25rem; }
          .app dl, .message { margin-top: 0.7rem; }
          .actions { padding-top: 0.7rem; }
          .pad .circles { min-height: 2.9rem; }
          .pad .word { min-height: 2.6rem; }
          .pad .keys button { min-height: 3rem; }
          .emblem { margin: 1rem 0 1.5rem; }
        }
        @media (min-width: 75rem) {
          main { grid-template-columns: 37rem minmax(0, 1fr); }
          .near { position: sticky; top: 0.75rem; display: grid; grid-template-columns: 21.5rem 13.5rem; gap: 2rem; }
          .beside { margin-top: 0.7rem; }
        }
        @media (min-width: 60.01rem) and (max-width: 74.99rem) and (min-height: 64rem) { .near { position: sticky; top: 1.25rem; } }
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
