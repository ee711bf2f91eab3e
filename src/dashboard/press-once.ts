/** Controls that send a request. One can appear under the pointer between the two presses of a double click. */
const SENDING = "button[type=submit], [role=dialog] button";
const CONTROLS = "button, [role=menuitem]";

/**
 * Makes a double click or a held key press a control only once. The second press of a double click often hits a new control:
 * after a button opens a dialog, it hits a button of the dialog.
 */
export function pressOnce(page: Document): void {
  page.addEventListener(
    "click",
    (event) => {
      if (event.detail > 1 && controlOf(event, SENDING)) refuse(event);
    },
    true,
  );
  page.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && event.key === "Enter" && controlOf(event, `${CONTROLS}, input`)) refuse(event);
    },
    true,
  );
}

const controlOf = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest(selector) : null;

function refuse(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
