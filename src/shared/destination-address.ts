import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface DestinationRules {
  /** Whether connections to addresses of this machine or its network are allowed. */
  readonly allowPrivate: boolean;
  /** Addresses of this machine. A connection to them would reach Hermod itself, or a service meant for this machine. */
  readonly ownAddresses: readonly string[];
}

/**
 * Reason why a connection to an address is refused.
 *
 * - `not_an_address`: not an IP address in its usual notation
 * - `no_host`: unspecified, multicast or broadcast: never the address of one host
 * - `not_public`: loopback, private, link-local, reserved…: not an address of the public Internet
 * - `own`: a public address of this machine
 */
export type DestinationRefusal = "not_an_address" | "no_host" | "not_public" | "own";

/** Checks an address from an untrusted source, such as the DNS or a URL; undefined: the connection is allowed. */
export type RefuseDestination = (address: string) => DestinationRefusal | undefined;

const NO_HOST = ["unspecified", "multicast", "broadcast"];
/** All IPv6 addresses that IANA has assigned as global unicast. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Addresses in public ranges that a cloud uses for its own host (Azure). */
const CLOUD_HOSTS: readonly string[] = ["168.63.129.16"];
/** RFC 6052: an IPv4 address follows. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

export function createRefuseDestination({ allowPrivate, ownAddresses }: DestinationRules): RefuseDestination {
  const own = new Set(ownAddresses.filter((address) => isIP(address) !== 0).map((a) => meant(a).toString()));
  return (address) => {
    if (isIP(address) === 0) return "not_an_address";
    const destination = meant(address);
    const range = rangeOf(destination);
    if (NO_HOST.includes(range)) return "no_host";
    if (allowPrivate) return undefined;
    // First, because a private address of this machine may also be meant for a machine in another network.
    if (range !== "unicast") return "not_public";
    return own.has(destination.toString()) ? "own" : undefined;
  };
}

/** Whether the address belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && rangeOf(meant(address)) === "unicast";
}

/**
 * Reason why a host in a policy or a URL is not on the public Internet; undefined: it is a public address, or a name.
 * The addresses of a name are checked when a worker connects. Addresses count in every notation that resolvers and URLs
 * accept: decimal, octal and hexadecimal (`2130706433`, `0177.1`, `0x7f.1`), with a trailing dot.
 */
export function privateHostReason(host: string): string | undefined {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  const address = isIP(name) === 0 ? ipv4In(name) : name;
  if (address !== undefined) {
    return isPublicAddress(address) ? undefined : `${host} is not a public address`;
  }
  if (name === "" || LOCAL_NAMES.has(name) || /\.localhost(\.localdomain)?$/.test(name)) {
    return `${host} is this machine`;
  }
  return undefined;
}

/** Loopback names in the hosts files of common systems, in addition to names below `localhost` (RFC 6761). */
const LOCAL_NAMES = new Set([
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost6",
  "ip6-localhost",
  "ip6-loopback",
]);

/** IPv4 address of a URL with this host, dotted and decimal; undefined: the host is a name. */
function ipv4In(name: string): string | undefined {
  // A name with a numeric last label is an address, or not a valid host (WHATWG URL, "ends in a number").
  if (!/(^|\.)(\d+|0x[\da-f]*)$/.test(name)) return undefined;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "invalid";
}

/** The effective address: IPv4 if IPv6 only wraps it, without a zone. */
function meant(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.process(inHexadecimal(address.replace(/%.*$/, "")));
  // A resolver in an IPv6-only network creates these addresses (DNS64), so public ones among them must work.
  if (parsed instanceof ipaddr.IPv6 && parsed.match(NAT64)) {
    return new ipaddr.IPv4(parsed.toByteArray().slice(12));
  }
  return parsed;
}

/** IPv6 without a dotted end: ipaddr.js reads `::192.0.2.1` as `::ffff:192.0.2.1`, which is another address. */
function inHexadecimal(address: string): string {
  const dotted = address.includes(":") && address.includes(".");
  return dotted ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (CLOUD_HOSTS.includes(address.toString())) return "reserved";
  // Some ranges, such as `::/96` (the obsolete IPv4-compatible addresses), have no range name in the library.
  if (range === "unicast" && address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST))
    return "reserved";
  return range;
}
