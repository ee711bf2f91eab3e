import { language } from "../texts/language.ts";

/**
 * All keys of the pages. Bindings compare events with this table, and the help lists it, so that they cannot differ. `Mod` is ⌘
 * on Apple systems and Ctrl elsewhere.
 */
export const shortcuts = {
  palette: ["Mod+k"],
  search: ["/"],
  help: ["?"],
  nextRow: ["j", "ArrowDown"],
  previousRow: ["k", "ArrowUp"],
  // The link of the row has the focus: browsers open it.
  openRow: ["Enter"],
  selectRow: ["x"],
  leaveRows: ["Escape"],
  turnBack: ["ArrowLeft"],
  turnOn: ["ArrowRight"],
  today: ["t"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Shortcut = keyof typeof shortcuts;

const STORED = "hermod-single-keys";
const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/**
 * Whether keys without a modifier act. A user can turn them off (WCAG 2.2, 2.1.4), because speech input presses them without
 * intention.
 */
export function hasSingleKeys(): boolean {
  return typeof localStorage === "undefined" || localStorage.getItem(STORED) !== "off";
}

export function setSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, "off");
}

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;

/** Whether an event is a press of a key of the shortcut. */
export function isPressed(event: Press, name: Shortcut): boolean {
  if (event.isComposing || event.altKey) return false;
  return shortcuts[name].some((key) => {
    const isModified = key.startsWith("Mod+");
    if (!isModified && key.length === 1 && !hasSingleKeys()) return false;
    const bare = isModified ? key.slice("Mod+".length) : key;
    const hasModifier = event.ctrlKey || event.metaKey;
    return hasModifier === isModified && (isModified ? event.key.toLowerCase() : event.key) === bare;
  });
}

const shown: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : { en: "Ctrl", de: "Strg" }[language],
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

/** Names of the keys of a shortcut, as on keyboards. The keys of one entry are pressed together. */
export const shownKeys = (name: Shortcut): readonly (readonly string[])[] =>
  shortcuts[name].map((key) => key.split("+").map((part) => shown[part] ?? part.toUpperCase()));

/** Whether typing, a dialog or a menu needs the keys. */
export function isKeyTaken(target: EventTarget | null): boolean {
  if (hasOpenDialog()) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

export const hasOpenDialog = () => document.querySelector("[role=dialog], [role=menu]") !== null;
