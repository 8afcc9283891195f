extension DemoPage {
    /// Draws the tour.
    static let guideScript = #"""
        function drawGuide(guide) {
          write(byID('guide-title'), guide.title);
          write(byID('guide-text'), guide.text);
          byID('guide-shop').hidden = !guide.opensShop;
          byID('guide-row').hidden = !guide.opensShop && !guide.action;
          drawButtons(byID('guide-action'), guide.action ? [guide.action] : []);
          const steps = byID('guide-steps');
          while (steps.children.length < guide.steps.length) steps.append(make('li'));
          const next = guide.steps.findIndex(step => !step.isDone);
          guide.steps.forEach((step, index) => {
            const item = steps.children[index];
            write(item, step.title);
            item.className = step.isDone ? 'done' : index === next ? 'next' : '';
          });
        }

        """#

    static let guideStyle = """
        .guide { display: grid; gap: 0.9rem; margin-bottom: 1.5rem; padding: 0.9rem 1.1rem; border: 1px dashed var(--muted); border-radius: var(--card-corner); }
        .guide p { max-width: 40rem; color: var(--muted); }
        .guide .row { margin-top: 0.6rem; }
        #guide-action:empty { display: none; }
        .guide .row :is(button, a) { font-size: 0.9375rem; }
        .guide .row :is(.primary:not([aria-disabled=true]), a) { color: var(--on-accent); background: var(--accent); }
        .guide ol { display: flex; flex-wrap: wrap; gap: 0.4rem; }
        .guide li {
          padding: 0.1rem 0.65rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--muted); font-size: 0.8125rem;
        }
        .guide li.next { border-color: var(--accent); color: var(--text); }
        .guide li.done { border-color: transparent; background: var(--good-ground); color: var(--good); }
        .guide li.done::before { content: "✓" / "Done:"; margin-right: 0.35rem; }

        """
}
