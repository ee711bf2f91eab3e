import { type Blacklist, KEY_PLACE } from "./blacklist.ts";

/** What the operator has set for a list. */
export interface ListSettings {
  /** Missing: as the list is by default, and on where there is a key or a registration. */
  readonly isOn?: boolean;
  /** Of the operator's account there: letters, digits and hyphens. */
  readonly key?: string;
  /** The resolver is registered there, or the operator has agreed to the terms. */
  readonly isRegistered?: boolean;
  readonly queriesPerDay?: number;
}

/** A list that can be asked. The key is in none of its fields: what logs or stores this does not tell it. */
export interface OpenList {
  readonly list: Blacklist;
  readonly queriesPerDay: number;
  /** For the resolver alone: it may hold the key. */
  secretName(labels: string): string;
  /** The text with `<key>` wherever the key stands: in any case of letters, and with what cannot be seen in between. */
  withoutKey(text: string): string;
}

/** Why a list is not asked, in a sentence's end. */
export interface ClosedList {
  readonly list: Blacklist;
  readonly notConfigured: string;
}

export type ListChoice = OpenList | ClosedList;

/** RFC 1035 section 2.3.1, without regard to case. */
const KEY = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** With less, the tests of a list leave nothing for its subjects. */
const MIN_QUERIES_PER_DAY = 100;

/** Each list, opened where the operator's settings allow it. Never throws: a bad key is told without being shown. */
export function openLists(
  lists: readonly Blacklist[],
  settings: Readonly<Record<string, ListSettings>>,
): readonly ListChoice[] {
  return lists.map((list) => openList(list, settings[list.id] ?? {}));
}

/** The name that may be shown, with `<key>` in the key's place. */
export function shownName(list: Blacklist, labels: string): string {
  return `${labels}.${list.zone}`;
}

export function isOpen(choice: ListChoice): choice is OpenList {
  return !("notConfigured" in choice);
}

function openList(list: Blacklist, settings: ListSettings): ListChoice {
  const { key = "", isRegistered = false, queriesPerDay = list.queriesPerDay } = settings;
  const closed = (notConfigured: string) => ({ list, notConfigured });
  const needsKey = list.zone.includes(KEY_PLACE);
  if (settings.isOn === false) return closed("the operator has switched it off");
  if (needsKey && key === "") return closed(`it needs a key: ${list.terms.url}`);
  if (needsKey && !KEY.test(key)) return closed("its key is none: letters, digits and hyphens make one");
  if (list.terms.kind === "registration" && !isRegistered)
    return closed(`it needs a registration: ${list.terms.url}`);
  const isOn = settings.isOn ?? (list.isOnByDefault || needsKey || isRegistered);
  if (!isOn) return closed("it is not switched on");
  if (!(queriesPerDay >= MIN_QUERIES_PER_DAY))
    return closed(`its budget is below ${MIN_QUERIES_PER_DAY} queries a day`);
  const shownKey = needsKey ? new RegExp([...key].join("[\\p{C}\\p{Z}]*"), "giu") : undefined;
  return {
    list,
    queriesPerDay,
    secretName: (labels) => `${labels}.${list.zone.replace(KEY_PLACE, key)}`,
    withoutKey: (text) => (shownKey ? text.replace(shownKey, KEY_PLACE) : text),
  };
}
