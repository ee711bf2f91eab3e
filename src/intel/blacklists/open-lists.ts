import { type Blacklist, KEY_PLACEHOLDER } from "./blacklist.ts";

/** Operator's settings for a list. */
export interface ListSettings {
  /** Missing: the list's default; on if there is a key or a registration. */
  readonly isOn?: boolean;
  /** Key of the operator's account at the list: letters, digits and hyphens. */
  readonly key?: string;
  /** The resolver is registered at the list, or the operator has agreed to the terms. */
  readonly isRegistered?: boolean;
  readonly queriesPerDay?: number;
}

/** A list that can be queried. No field contains the key, so logging or storing this does not reveal it. */
export interface OpenList {
  readonly list: Blacklist;
  readonly queriesPerDay: number;
  /** For the resolver only: the name may contain the key. */
  secretName(labels: string): string;
  /** The text with `<key>` in place of the key, in any letter case and with invisible characters in between. */
  withoutKey(text: string): string;
}

/** Why a list is not queried, as a clause. */
export interface ClosedList {
  readonly list: Blacklist;
  readonly notConfigured: string;
}

export type ListChoice = OpenList | ClosedList;

/** RFC 1035 section 2.3.1, case-insensitive. */
const KEY = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** With a smaller budget, the tests of a list leave nothing for its subjects. */
const MIN_QUERIES_PER_DAY = 100;

/** Opens each list that the operator's settings allow. Never throws: an invalid key is reported but not shown. */
export function openLists(
  lists: readonly Blacklist[],
  settings: Readonly<Record<string, ListSettings>>,
): readonly ListChoice[] {
  return lists.map((list) => openList(list, settings[list.id] ?? {}));
}

/** The name for display, with `<key>` in place of the key. */
export function shownName(list: Blacklist, labels: string): string {
  return `${labels}.${list.zone}`;
}

export function isOpen(choice: ListChoice): choice is OpenList {
  return !("notConfigured" in choice);
}

function openList(list: Blacklist, settings: ListSettings): ListChoice {
  const { key = "", isRegistered = false, queriesPerDay = list.queriesPerDay } = settings;
  const closed = (notConfigured: string) => ({ list, notConfigured });
  const needsKey = list.zone.includes(KEY_PLACEHOLDER);
  if (settings.isOn === false) return closed("the operator has disabled it");
  if (needsKey && key === "") return closed(`it needs a key: ${list.terms.url}`);
  if (needsKey && !KEY.test(key))
    return closed("its key is invalid: a key has only letters, digits and hyphens");
  if (list.terms.kind === "registration" && !isRegistered)
    return closed(`it needs a registration: ${list.terms.url}`);
  const isOn = settings.isOn ?? (list.isOnByDefault || needsKey || isRegistered);
  if (!isOn) return closed("it is not enabled");
  if (!(queriesPerDay >= MIN_QUERIES_PER_DAY))
    return closed(`its budget is below ${MIN_QUERIES_PER_DAY} queries a day`);
  const shownKey = needsKey ? new RegExp([...key].join("[\\p{C}\\p{Z}]*"), "giu") : undefined;
  return {
    list,
    queriesPerDay,
    secretName: (labels) => `${labels}.${list.zone.replace(KEY_PLACEHOLDER, key)}`,
    withoutKey: (text) => (shownKey ? text.replace(shownKey, KEY_PLACEHOLDER) : text),
  };
}
