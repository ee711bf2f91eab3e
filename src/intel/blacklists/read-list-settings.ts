import type { ListSettings } from "./open-lists.ts";

/** `off`, `on`, `registered`, `key=` and a key, or `queries=` and the daily limit. */
const ITEM = /^([a-z0-9_]+):(?:(off|on|registered)|key=([A-Za-z0-9-]{1,63})|queries=([1-9]\d{0,8}))$/;

/**
 * The operator's settings for lists, such as `spamhaus_zen:key=abc`, `barracuda:registered`, `psbl:off`,
 * `spamcop:queries=5000`. Several items may configure one list.
 * @returns undefined for an unreadable item; messages contain no key
 */
export function readListSettings(
  items: readonly string[],
): Readonly<Record<string, ListSettings>> | undefined {
  const read = new Map<string, ListSettings>();
  for (const item of items) {
    const [, id = "", zone, key, queries] = ITEM.exec(item) ?? [];
    if (id === "") return undefined;
    read.set(id, {
      ...read.get(id),
      ...(zone === "off" && { isOn: false }),
      ...(zone === "on" && { isOn: true }),
      ...(zone === "registered" && { isRegistered: true }),
      ...(key !== undefined && { key }),
      ...(queries !== undefined && { queriesPerDay: Number(queries) }),
    });
  }
  return Object.fromEntries(read);
}
