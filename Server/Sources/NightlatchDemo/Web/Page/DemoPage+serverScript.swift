extension DemoPage {
    /// Draws the events of the server, newest first.
    static let serverScript = #"""
        function makeSteps(event) {
          const details = make('details');
          const list = make('ol');
          details.append(make('summary', '', `Verified in ${event.steps.length} steps`), list);
          for (const step of event.steps) {
            const item = make('li');
            item.append(make('span', '', step.text));
            if (step.evidence) item.append(make('code', '', step.evidence));
            list.append(item);
          }
          return details;
        }

        function makeText(label, text) {
          const part = make('div');
          part.append(make('p', 'label', label), make('pre', '', text));
          return part;
        }

        function makeMessage(message) {
          const details = make('details', 'signed');
          const copy = make('button', 'copy', 'Copy');
          copy.type = 'button';
          copy.addEventListener('click', () => {
            navigator.clipboard.writeText(message.raw).then(() => { copy.textContent = 'Copied'; }, () => {
              getSelection().selectAllChildren(details.querySelector('.raw pre'));
              copy.textContent = 'Selected';
            });
          });
          const raw = makeText('As it was sent', message.raw);
          raw.className = 'raw';
          raw.append(copy);
          details.append(
            make('summary', '', message.name), makeText('Header', message.header), makeText('Claims', message.claims), raw);
          return details;
        }

        function makeEvent(event) {
          const item = make('li', event.request?.status >= 400 ? 'event refused' : 'event');
          item.dataset.number = event.number;
          const about = make('p', 'about');
          about.append(make('span', 'sender', event.sender));
          if (event.request) about.append(make('code', '', event.request.text), make('span', 'answer', event.request.status));
          about.append(make('span', 'time', event.time));
          item.append(make('h3', '', event.headline), about);
          const facts = make('dl');
          drawFacts(facts, event.facts);
          item.append(facts);
          if (event.steps.length) item.append(makeSteps(event));
          item.append(...event.messages.map(makeMessage));
          for (const entry of event.audit) {
            const line = make('p', 'audit');
            line.append(make('span', '', 'Audit log'), make('code', '', entry.text), make('code', 'hash', entry.hash));
            item.append(line);
          }
          return item;
        }

        const SHOWN_COUNT = 8;

        // The newest first. Its steps are shown; those before it can be opened. Older requests are folded away.
        function drawServer(events) {
          const log = byID('log');
          const newest = Number(log.firstElementChild?.dataset.number ?? 0);
          for (const event of events.filter(event => event.number > newest).reverse()) {
            const item = makeEvent(event);
            const steps = item.querySelector('details:not(.signed)');
            if (event.endsCeremony) {
              log.querySelector('details[data-shown]')?.removeAttribute('open');
              log.querySelector('details[data-shown]')?.removeAttribute('data-shown');
              steps.open = true;
              steps.dataset.shown = '';
            }
            log.prepend(item);
          }
          const older = byID('older-log');
          while (log.children.length > SHOWN_COUNT) older.prepend(log.lastChild);
          while (older.children.length > Math.max(0, events.length - SHOWN_COUNT)) older.lastChild.remove();
          byID('older').hidden = older.children.length === 0;
          byID('older-title').textContent = `Earlier: ${older.children.length}`;
        }

        """#
}
