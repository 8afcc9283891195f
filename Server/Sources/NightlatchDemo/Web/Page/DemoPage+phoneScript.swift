extension DemoPage {
    /// Draws the phone, announces changes, and keeps the keyboard focus in place.
    static let phoneScript = #"""
        function drawApp(app, isBusy) {
          byID('app').dataset.name = app.name;
          write(byID('app-title'), app.title);
          write(byID('app-text'), app.text);
          write(byID('app-message'), app.message?.text);
          byID('app-message').dataset.tone = app.message?.tone ?? '';
          byID('app-work').hidden = !isBusy;
          drawFacts(byID('app-facts'), app.facts);
          drawNumber(app.number);
          const wasAsking = !byID('sign-in').hidden;
          for (const id of ['sign-in', 'known-password']) byID(id).hidden = !app.asksForPassword;
          if (wasAsking !== app.asksForPassword) byID('password').value = '';
          drawButtons(byID('app-actions'), app.actions);
        }

        function drawNumber(number) {
          byID('number').hidden = !number;
          if (!number) return drawButtons(byID('number-keys'), []);
          const digits = byID('number-digits');
          digits.replaceChildren(...[0, 1].map(index => make('span', '', number.typed[index] ?? '')));
          digits.setAttribute('aria-label', number.typed ? `Typed: ${[...number.typed].join(' ')}` : 'No digit is typed');
          drawButtons(byID('number-keys'), [...number.keys.slice(0, 9), null, ...number.keys.slice(9)]);
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
          byID('shop').hidden = !view.isShopOpen;
          drawGuide(view.guide);
          byID('app').hidden = Boolean(view.pad);
          byID('app').inert = Boolean(view.sensor);
          byID('pad').hidden = !view.pad || Boolean(view.sensor);
          byID('sheet').hidden = !view.sensor;
          byID('glass').setAttribute('aria-busy', String(view.isBusy && !isCovered));
          moveFocus(view);
          announce(view);
        }

        """#
}
