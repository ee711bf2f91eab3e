import { useEffect, useRef } from "react";
import { isKeyTaken, isPressed } from "../../parts/shortcuts.ts";

interface TurnKeys {
  readonly onTurn: (by: 1 | -1) => void;
  readonly onToday: () => void;
}

/** Turns a calendar with the arrows, and returns to today with a key. */
export function useTurnKeys(keys: TurnKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isKeyTaken(event.target) || event.shiftKey) return;
      if (isPressed(event, "turnBack")) latest.current.onTurn(-1);
      else if (isPressed(event, "turnOn")) latest.current.onTurn(1);
      else if (isPressed(event, "today")) latest.current.onToday();
      else return;
      event.preventDefault();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
