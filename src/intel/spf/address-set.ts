import ipaddr from "ipaddr.js";

/** Ranges of one family, in order and disjoint. Both ends are included. */
export type Ranges = readonly (readonly [first: bigint, last: bigint])[];

/** Addresses of both families. */
export interface AddressSet {
  readonly ip4: Ranges;
  readonly ip6: Ranges;
}

const LAST = { ip4: (1n << 32n) - 1n, ip6: (1n << 128n) - 1n } as const;
const BITS = { ip4: 32, ip6: 128 } as const;
export const NO_ADDRESS: AddressSet = { ip4: [], ip6: [] };
export const EVERY_ADDRESS: AddressSet = { ip4: [[0n, LAST.ip4]], ip6: [[0n, LAST.ip6]] };
/** Global unicast addresses, the only addresses that can send mail (RFC 4291 section 2.4). */
const GLOBAL_IP6: Ranges = [[1n << 125n, (1n << 126n) - 1n]];

/** The addresses of a network. Host bits are ignored. */
export function networkRange(kind: "ip4" | "ip6", network: string, bits: number = BITS[kind]): AddressSet {
  const base = addressNumber(network);
  const size = 1n << BigInt(BITS[kind] - bits);
  const first = base - (base % size);
  return { ...NO_ADDRESS, [kind]: [[first, first + size - 1n]] };
}

/** Union of the sets. */
export function union(sets: readonly AddressSet[]): AddressSet {
  return {
    ip4: merged(sets.flatMap(({ ip4 }) => ip4)),
    ip6: merged(sets.flatMap(({ ip6 }) => ip6)),
  };
}

/** The addresses of the first set that are not in the second. */
export function without(set: AddressSet, other: AddressSet): AddressSet {
  return { ip4: rest(set.ip4, other.ip4), ip6: rest(set.ip6, other.ip6) };
}

export function hasAddress(set: AddressSet, address: string): boolean {
  const parsed = ipaddr.process(address);
  const number = addressNumber(address);
  return set[parsed.kind() === "ipv4" ? "ip4" : "ip6"].some(
    ([first, last]) => first <= number && number <= last,
  );
}

/** Shares of the IPv4 addresses, and of the global IPv6 addresses, from 0 to 1. */
export function shareOf({ ip4, ip6 }: AddressSet): { readonly ip4: number; readonly ip6: number } {
  const outside = rest(ip6, GLOBAL_IP6);
  return {
    ip4: Number(sizeOf(ip4)) / 2 ** 32,
    ip6: Number(sizeOf(ip6) - sizeOf(outside)) / 2 ** 125,
  };
}

function sizeOf(ranges: Ranges): bigint {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1n, 0n);
}

function addressNumber(text: string): bigint {
  return ipaddr
    .process(text)
    .toByteArray()
    .reduce((before, octet) => (before << 8n) | BigInt(octet), 0n);
}

function merged(ranges: Ranges): Ranges {
  const sorted = ranges.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const result: [bigint, bigint][] = [];
  for (const [first, last] of sorted) {
    const before = result.at(-1);
    if (!before || first > before[1] + 1n) result.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return result;
}

function rest(ranges: Ranges, removed: Ranges): Ranges {
  const result: [bigint, bigint][] = [];
  let at = 0;
  for (const [first, last] of ranges) {
    let from = first;
    while ((removed[at]?.[1] ?? last) < from) at += 1;
    for (let next = at; next < removed.length; next += 1) {
      const [begin, end] = removed[next] as readonly [bigint, bigint];
      if (begin > last) break;
      if (begin > from) result.push([from, begin - 1n]);
      if (end >= from) from = end + 1n;
    }
    if (from <= last) result.push([from, last]);
  }
  return result;
}
