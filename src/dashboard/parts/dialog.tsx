import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

/** A dialog, open while it is mounted. As it closes, the focus returns to the element that opened it (WCAG 2.4.3). */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [opener] = useState(findOpener);
  useEffect(() => {
    return () => {
      // The elements of the dialog are gone by then.
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
      });
    };
  }, [opener]);
  return <Modal opened {...props} />;
}

/** The focused element. A menu closes as its item opens a dialog: then it is the button of the menu. */
function findOpener(): HTMLElement | undefined {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined;
}
