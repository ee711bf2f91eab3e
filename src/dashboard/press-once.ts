/** Controls that send something. One may come under the pointer between the two presses of a double click. */
const SENDING = "button[type=submit], [role=dialog] button";
const CONTROLS = "button, [role=menuitem]";

/**
 * Has a double click and a held key press a control once. A double click often meant the control that was there before: a
 * button that opens a dialog has its second press fall on a button of the dialog.
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
