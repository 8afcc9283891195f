extension DemoPage {
    /// Draws what it is told and sends what is pressed. It decides nothing, and knows no digit that was typed.
    static let script = #"""
        'use strict';

        const byID = id => document.getElementById(id);
        const SVG = 'http://www.w3.org/2000/svg';
        const ICONS = {
          'delete': ['M9 6h11v12H9l-5-6z', 'M12 10l4 4m0-4l-4 4'],
          'biometrics': [
            'M6 17c1.5-2 1-5 1.4-6.5A4.7 4.7 0 0 1 16.6 11.5c.1 2.5-.1 4.5-.8 6.5', 'M12 11.5c.2 3-.3 5.5-1.8 8',
            'M4.5 13c-.2-5.5 2.8-8.5 7.5-8.5 3 0 5.5 1.5 6.7 4', 'M19.5 12.500c0 2 0 3-.4 4.5',
          ],
        };
        let place = '';
        let spoken = '';
        let felt = 0;

        // One after the other, so that digits arrive in the order in which they were pressed.
        let sending = Promise.resolve();
        function send(event) {
          sending = sending.then(() => fetch('events', {
            method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({event}),
          })).catch(() => {});
        }

        function make(tag, className, text) {
          const element = document.createElement(tag);
          if (className) element.className = className;
          if (text !== undefined) element.textContent = text;
          return element;
        }

        function makeIcon(name) {
          const icon = document.createElementNS(SVG, 'svg');
          icon.setAttribute('viewBox', '0 0 24 24');
          icon.setAttribute('aria-hidden', 'true');
          for (const line of ICONS[name]) {
            const path = document.createElementNS(SVG, 'path');
            path.setAttribute('d', line);
            icon.append(path);
          }
          return icon;
        }

        // A key that may not be pressed now keeps the focus, so it is not disabled for the browser.
        function drawButton(button, action) {
          const isEnabled = action.isEnabled !== false;
          button.setAttribute('aria-disabled', String(!isEnabled));
          if (ICONS[action.event]) {
            if (!button.firstChild) button.append(makeIcon(action.event));
            button.setAttribute('aria-label', action.label);
          } else if (button.textContent !== action.label) {
            button.textContent = action.label;
          }
        }

        // Where there is no action, a place stays empty.
        function drawButtons(container, actions) {
          const wanted = actions.map(action => action ? action.event : '').join(' ');
          if (container.dataset.events !== wanted) {
            const focused = container.contains(document.activeElement) ? document.activeElement.dataset.event : null;
            container.replaceChildren(...actions.map(action => {
              if (!action) return make('span');
              const button = make('button', action.style ?? '');
              button.type = 'button';
              button.dataset.event = action.event;
              return button;
            }));
            container.dataset.events = wanted;
            if (focused) (container.querySelector(`[data-event="${focused}"]`) ?? container.querySelector('button'))?.focus();
          }
          actions.forEach((action, index) => { if (action) drawButton(container.children[index], action); });
        }

        function drawFacts(list, facts) {
          list.replaceChildren(...facts.map(fact => {
            const row = make('div');
            row.append(make('dt', '', fact.label), make('dd', '', fact.value));
            return row;
          }));
          list.hidden = facts.length === 0;
        }

        function write(element, text) {
          if (element.textContent !== (text ?? '')) element.textContent = text ?? '';
          element.hidden = !text;
        }

        function drawApp(app, isBusy) {
          byID('app').dataset.name = app.name;
          write(byID('app-title'), app.title);
          write(byID('app-text'), app.text);
          write(byID('app-message'), app.message?.text);
          byID('app-message').dataset.tone = app.message?.tone ?? '';
          byID('app-work').hidden = !isBusy;
          drawFacts(byID('app-facts'), app.facts);
          drawButtons(byID('app-actions'), app.actions);
        }

        function drawPad(pad) {
          write(byID('pad-title'), pad.title);
          write(byID('pad-hint'), pad.hint);
          byID('pad-message').textContent = pad.isBusy ? 'One moment' : pad.message ?? '';
          byID('pad-message').dataset.tone = pad.isWarning && !pad.isBusy ? 'bad' : '';
          const circles = byID('pad-circles');
          while (circles.children.length > pad.circleCount) circles.lastChild.remove();
          while (circles.children.length < pad.circleCount) circles.append(make('span'));
          [...circles.children].forEach((circle, index) => circle.classList.toggle('full', index < pad.typedCount));
          circles.classList.toggle('busy', pad.isBusy);
          circles.hidden = pad.digits.length === 0;
          circles.setAttribute('aria-label', `${pad.typedCount}${pad.digitCount ? ` of ${pad.digitCount}` : ''} digits`);
          const seconds = pad.countdownSeconds;
          write(byID('pad-countdown'), seconds ? `Try again in ${seconds} s` : null);
          const last = [pad.biometrics ?? null, pad.digits[9], pad.delete ?? null];
          drawButtons(byID('pad-keys'), pad.digits.length ? [...pad.digits.slice(0, 9), ...last] : []);
          drawButtons(byID('pad-others'), pad.others);
          if (pad.feedbackNumber !== felt) {
            felt = pad.feedbackNumber;
            circles.classList.remove('shaken');
            if (pad.feedback === 'wrong') requestAnimationFrame(() => circles.classList.add('shaken'));
          }
        }

        function announce(view) {
          const pad = view.pad;
          const words = view.sensor ? `${view.sensor.reason}. Touch the sensor.`
            : pad ? [pad.title, pad.message, pad.countdownSeconds ? 'Wait.' : ''].filter(Boolean).join('. ')
            : view.app.message?.text ?? '';
          if (words === spoken) return;
          spoken = words;
          byID('announcer').textContent = words;
        }

        // Who was in a part of the phone that is gone now goes on at the beginning of the one in its place.
        function moveFocus(view) {
          const now = view.sensor ? 'sheet' : view.pad ? 'pad' : `app ${view.app.name}`;
          const before = place;
          place = now;
          if (!before || before === now) return;
          const focused = document.activeElement;
          if (focused === document.body || byID('glass').contains(focused)) {
            byID(view.sensor ? 'sheet-title' : view.pad ? 'pad-title' : 'app-title').focus({preventScroll: true});
          }
        }

        function drawPhone(view) {
          const isCovered = Boolean(view.pad || view.sensor);
          byID('lock-state').textContent = view.isOpen ? 'Open' : view.app.name === 'welcome' ? 'New' : 'Locked';
          byID('lock-state').dataset.open = String(view.isOpen);
          drawApp(view.app, view.isBusy && !isCovered);
          if (view.pad) drawPad(view.pad);
          if (view.sensor) {
            if (!byID('sheet-icon').firstChild) byID('sheet-icon').append(makeIcon('biometrics'));
            write(byID('sheet-title'), view.sensor.reason);
            drawButtons(byID('sheet-actions'), view.sensor.actions);
          }
          drawButtons(byID('fingers'), view.fingers);
          drawButtons(byID('backend'), view.backend);
          drawButtons(byID('operator'), view.operator);
          byID('app').hidden = Boolean(view.pad);
          byID('app').inert = Boolean(view.sensor);
          byID('pad').hidden = !view.pad || Boolean(view.sensor);
          byID('sheet').hidden = !view.sensor;
          byID('glass').setAttribute('aria-busy', String(view.isBusy && !isCovered));
          moveFocus(view);
          announce(view);
        }

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

        function makeEvent(event) {
          const item = make('li', event.status < 400 ? 'event' : 'event refused');
          item.dataset.number = event.number;
          const about = make('p', 'about');
          about.append(
            make('span', event.sender === 'Phone' ? 'sender' : 'sender backend', event.sender), make('code', '', event.request),
            make('span', 'answer', event.status), make('span', 'time', event.time));
          item.append(make('h3', '', event.headline), about);
          const facts = make('dl');
          drawFacts(facts, event.facts);
          item.append(facts);
          if (event.steps.length) item.append(makeSteps(event));
          for (const entry of event.audit) {
            const line = make('p', 'audit');
            line.append(make('span', '', 'Audit log'), make('code', '', entry.text), make('code', 'hash', entry.hash));
            item.append(line);
          }
          return item;
        }

        // The newest first. Its steps are shown; those before it can be opened.
        function drawServer(events) {
          const log = byID('log');
          const newest = Number(log.firstElementChild?.dataset.number ?? 0);
          if (events.length && !newest) byID('tries').open = false;
          for (const event of events.filter(event => event.number > newest).reverse()) {
            const item = makeEvent(event);
            const steps = item.querySelector('details');
            if (event.endsCeremony) {
              log.querySelector('details[data-shown]')?.removeAttribute('open');
              log.querySelector('details[data-shown]')?.removeAttribute('data-shown');
              steps.open = true;
              steps.dataset.shown = '';
            }
            log.prepend(item);
          }
          while (log.children.length > events.length) log.lastChild.remove();
        }

        document.addEventListener('click', event => {
          const button = event.target.closest('button[data-event]');
          if (button && button.getAttribute('aria-disabled') !== 'true') send(button.dataset.event);
        });

        // A key that is clicked takes no focus: what is marked would be the digit that was pressed last.
        byID('pad-keys').addEventListener('mousedown', event => event.preventDefault());

        document.addEventListener('keydown', event => {
          // A key that is held is pressed once: held on, a digit would be a whole PIN.
          if (event.repeat || byID('pad').hidden || event.ctrlKey || event.metaKey || event.altKey) return;
          if (/^[0-9]$/.test(event.key)) send(`digit-${event.key}`);
          else if (event.key === 'Backspace') send('delete');
          else if (event.key === 'Escape') send('cancel');
          else if (event.key === 'Enter' && !event.target.closest('button, summary')) send('submit');
          else return;
          event.preventDefault();
        });

        const states = new EventSource('states');
        states.addEventListener('phone', event => drawPhone(JSON.parse(event.data)));
        states.addEventListener('server', event => drawServer(JSON.parse(event.data)));
        states.addEventListener('open', () => { byID('connection').hidden = true; });
        states.addEventListener('error', () => {
          byID('connection').textContent = 'The demonstration does not answer. Does the command still run?';
          byID('connection').hidden = false;
        });

        """#
}
