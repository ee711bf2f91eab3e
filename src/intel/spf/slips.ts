import { isIP } from "node:net";
import { isWellFormedName } from "./macro-string.ts";

export const MECHANISM = /^(?:all|include|a|mx|ptr|ip4|ip6|exists)$/i;

/** `ip4=192.0.2.1` and `inlcude=_spf.example.com` have the syntax of modifiers, which have no effect. */
export function isMeantAsMechanism(word: string, name: string): boolean {
  if (MECHANISM.test(name)) return true;
  const value = word.slice(name.length + 1);
  const known = isNetwork(value) ? ["ip4", "ip6", "ipv4", "ipv6"] : ["include", "redirect"];
  return isNetwork(value) || isName(value) ? isSlipOf(name.toLowerCase(), known) : false;
}

/** Whether the text differs by at most two wrong, missing, doubled or swapped letters. */
export function isSlipOf(text: string, names: readonly string[]): boolean {
  return names.some(
    (name) => Math.abs(text.length - name.length) <= 2 && distance(text, name) <= (name.length > 4 ? 2 : 1),
  );
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (rows[i - 1]?.[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + cost,
          isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

/** Whether the text resembles a network, with or without a prefix length. It need not be valid. */
export function isNetwork(text: string): boolean {
  const [address = "", ...lengths] = text.split("/");
  if (lengths.length > 1 || !/^\d{0,3}$/.test(lengths[0] ?? "")) return false;
  return (isIP(address) !== 0 && !address.includes("%")) || isShortNetwork(text);
}

/** `192.0.2/24`, `192.0.2.*`: the missing octets are 0. */
export function isShortNetwork(text: string): boolean {
  return (
    /^(?:\d{1,3}\.){0,2}\d{1,3}\.?\/(?:8|16|24)$|^(?:\d{1,3}\.){1,3}\*$/.test(text) &&
    shortNetwork(text) !== undefined
  );
}

export function shortNetwork(text: string): string | undefined {
  const octets = text
    .replace(/\/.*$/, "")
    .split(".")
    .filter((octet) => octet !== "" && octet !== "*");
  const bits = text.endsWith("*") ? octets.length * 8 : Number(text.split("/")[1]);
  if (bits !== octets.length * 8 || octets.length === 4) return undefined;
  const address = [...octets, "0", "0", "0"].slice(0, 4).join(".");
  return isIP(address) === 4 ? `${address}/${bits}` : undefined;
}

export function isName(text: string): boolean {
  return (
    /^[a-z0-9_][a-z0-9_.-]*\.[a-z][a-z0-9-]*\.?$/i.test(text) && isWellFormedName(withoutEmptyLabels(text))
  );
}

export function withoutEmptyLabels(name: string): string {
  return name.replace(/^\.+/, "").replace(/\.{2,}/g, ".");
}
