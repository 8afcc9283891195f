/// The page's script. It draws the state that the program sends, and sends the buttons that the user presses. It makes
/// no decisions, and does not keep the typed digits.
extension DemoPage {
    static let script = elementScript + phoneScript + guideScript + serverScript + eventScript

    /// Draws buttons, icons, lists and texts.
    private static let elementScript = #"""
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
        ICONS['number-delete'] = ICONS.delete;
        let place = '';
        let spoken = '';
        let felt = 0;

        // One after the other, so that digits arrive in the order in which they were pressed.
        let sending = Promise.resolve();
        function send(event) {
          const text = event === 'sign-in' ? byID('password').value : undefined;
          sending = sending.then(() => fetch('events', {
            method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({event, text}),
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

        """#

    /// Sends presses and receives states.
    private static let eventScript = #"""
        document.addEventListener('click', event => {
          const button = event.target.closest('button[data-event]');
          if (button && button.getAttribute('aria-disabled') !== 'true') send(button.dataset.event);
        });

        // A key that is clicked takes no focus: what is marked would be the digit that was pressed last.
        byID('pad-keys').addEventListener('mousedown', event => event.preventDefault());

        // The number of a login page. Enter presses the button that has the focus.
        function pressNumber(event) {
          if (byID('number').hidden || !byID('sheet').hidden) return;
          if (/^[0-9]$/.test(event.key)) send(`number-${event.key}`);
          else if (event.key === 'Backspace') send('number-delete');
          else if (event.key === 'Escape') send('later');
          else if (event.key === 'Enter' && !event.target.closest('button, summary, a')) send('confirm');
          else return;
          event.preventDefault();
        }

        document.addEventListener('keydown', event => {
          // A key that is held is pressed once: held on, a digit would be a whole PIN.
          if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.target === byID('password')) {
            if (event.key === 'Enter') send('sign-in');
            return;
          }
          if (byID('pad').hidden) return pressNumber(event);
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
