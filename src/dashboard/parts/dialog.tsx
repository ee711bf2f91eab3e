import { Modal, type ModalProps } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";

/** The elements that opened a dialog, innermost first, by the root of the dialog. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

/**
 * A dialog, open while it is mounted. The focus stays in it when its focused element is removed. As it closes, the focus
 * returns to the element that opened it (WCAG 2.4.3).
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const [openers] = useState(findOpeners);
  useEffect(() => {
    return () => {
      // The elements of the dialog are gone by then.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        openers.find((opener) => opener.isConnected)?.focus({ preventScroll: true });
      });
    };
  }, [openers]);
  const root = useCallback(
    (element: HTMLDivElement | null) => {
      if (!element) return;
      openersOf.set(element, openers);
      return keepFocus(element);
    },
    [openers],
  );
  return <Modal opened data-dialog ref={root} {...props} />;
}

/**
 * The focused element. A menu closes as its item opens a dialog: then it is the button of the menu. A dialog may replace
 * the one that opened it: then what opened that one follows.
 */
function findOpeners(): readonly HTMLElement[] {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused;
  if (!(opener instanceof HTMLElement) || opener === document.body) return [];
  const outer = opener.closest("[data-dialog]");
  return [opener, ...((outer && openersOf.get(outer)) ?? [])];
}

/** Moves the focus to the dialog when its focused element is removed. Otherwise, keys would begin at the page behind it. */
function keepFocus(root: Element): () => void {
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    root.querySelector<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}
