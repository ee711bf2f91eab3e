import { useEffect, useRef } from "react";
import { hasOpenDialog, isKeyTaken, isPressed } from "../../parts/shortcuts.ts";

interface ShellKeys {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/** Binds the keys that act on every page. The palette also opens while the user types, but never above another dialog. */
export function useShellKeys(keys: ShellKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const act = actionOf(event);
      if (!act || event.defaultPrevented) return;
      event.preventDefault();
      act();
    }
    function actionOf(event: KeyboardEvent): (() => void) | undefined {
      // Also above a dialog, the browser must not use the key for its own search.
      if (isPressed(event, "palette")) return hasOpenDialog() ? () => undefined : latest.current.openPalette;
      if (isKeyTaken(event.target)) return undefined;
      if (isPressed(event, "help")) return latest.current.openHelp;
      if (isPressed(event, "search")) return () => focusSearch() || latest.current.openPalette();
      return undefined;
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/**
 * Moves the cursor into the search box of the page.
 * @returns whether the page has one
 */
function focusSearch(): boolean {
  const boxes = document.querySelectorAll<HTMLInputElement>("#content input[type=search]:enabled");
  const box = [...boxes].find((one) => one.offsetParent !== null);
  box?.focus();
  box?.select();
  return box !== undefined;
}
