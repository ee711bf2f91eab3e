import { isIP } from "node:net";
import { safeDetail } from "../message/replies/outcome.ts";
import { hostName } from "./names.ts";
import type { MxRecord } from "./records.ts";

/** A host to which the DNS directs mail; its name is a result of `hostName`. */
export interface MailExchange {
  readonly exchange: string;
  readonly preference: number;
}

/** An unusable exchange, for the log. */
export interface DroppedExchange {
  /** Safe to show. */
  readonly exchange: string;
  readonly reason: string;
}

export interface MailExchanges {
  /** Most preferred first, equal preferences in random order (RFC 5321 section 5.1); each name once. */
  readonly exchanges: readonly MailExchange[];
  readonly dropped: readonly DroppedExchange[];
}

/**
 * The usable MX records of a domain, in the order of attempts. Undefined: only the root, which means that the domain accepts no
 * mail (RFC 7505); beside others the root is ignored.
 * @param random 0 to 1
 */
export function orderExchanges(
  records: readonly MxRecord[],
  random: () => number,
): MailExchanges | undefined {
  if (records.every(({ exchange }) => isRoot(exchange))) return undefined;
  const preferences = new Map<string, number>();
  const dropped: DroppedExchange[] = [];
  for (const { exchange, preference } of records) {
    const host = hostName(exchange);
    if (host === undefined) {
      dropped.push({ exchange: safeDetail(exchange), reason: whyNoHost(exchange) });
    } else {
      preferences.set(host, Math.min(preference, preferences.get(host) ?? preference));
    }
  }
  const exchanges = [...preferences].map(([exchange, preference]) => ({ exchange, preference }));
  return { exchanges: shuffle(exchanges, random).sort((a, b) => a.preference - b.preference), dropped };
}

function isRoot(exchange: string): boolean {
  return exchange === "." || exchange === "";
}

function whyNoHost(exchange: string): string {
  if (isRoot(exchange)) return "means that the domain takes no mail, but stands beside other exchanges";
  return isIP(exchange) === 0 ? "is not the name of a host" : "is an address, not the name of a host";
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, position: random() }))
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item);
}
