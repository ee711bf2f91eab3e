/** Controls whose second press would send a change twice. */
const SENDING = "button[type=submit], [role=dialog] button";
const CONTROLS = "button, [role=menuitem]";

/**
 * Has each control act once for a double click, a bouncing mouse or a held key. A request that is under way disables its
 * button, but only with the next picture of the page: a second press before that would be sent, too.
 */
export function pressOnce(page: Document): void {
  const pressed = new WeakSet<EventTarget>();

  function guard(event: Event): void {
    const { target } = event;
    const control =
      target instanceof Element && event.type === "click" ? target.closest(CONTROLS) : event.target;
    if (!control) return;
    const isDouble = event instanceof MouseEvent && event.detail > 1 && (control as Element).matches(SENDING);
    if (pressed.has(control) || isDouble) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    pressed.add(control);
    requestAnimationFrame(() => requestAnimationFrame(() => pressed.delete(control)));
  }

  page.addEventListener("click", guard, true);
  page.addEventListener("submit", guard, true);
}
