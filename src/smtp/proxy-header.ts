import { isIPv4, isIPv6 } from "node:net";

/** Client of the proxied connection; undefined: the proxy itself, for example for a health check. */
export interface ProxiedClient {
  readonly address: string;
  readonly port: number;
}

/** Result of reading the first octets of a connection. */
export type ProxyHeader =
  | { readonly kind: "incomplete" }
  | { readonly kind: "invalid" }
  | { readonly kind: "header"; readonly octets: number; readonly client: ProxiedClient | undefined };

const INCOMPLETE: ProxyHeader = { kind: "incomplete" };
const INVALID: ProxyHeader = { kind: "invalid" };

const V1_START = Buffer.from("PROXY ");
/** Including its CRLF. */
const V1_MAX_OCTETS = 107;
const V1 = /^PROXY (?:UNKNOWN(?: [ -~]*)?|(TCP[46]) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) (\d{1,5}) (\d{1,5}))$/;
const V2_START = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const V2_FIXED_OCTETS = 16;
/** The addresses may be followed by values that are skipped: names and client certificates. */
const V2_MAX_OCTETS = 4_096;
const LOCAL = 0x20;
const PROXY = 0x21;
/** Octets of both addresses and ports, by address family. */
const IPV4_OCTETS = 12;
const IPV6_OCTETS = 36;

/**
 * Reads the header of the PROXY protocol, version 1 or 2, at the start of a connection.
 * @see https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, V1_START)) return readV1(bytes);
  if (startsLike(bytes, V2_START)) return readV2(bytes);
  return INVALID;
}

/** Whether the available octets match the start. */
function startsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

function readV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_MAX_OCTETS).indexOf("\r\n");
  if (end === -1) return bytes.length < V1_MAX_OCTETS ? INCOMPLETE : INVALID;
  const match = V1.exec(bytes.toString("latin1", 0, end));
  if (!match) return INVALID;
  const octets = end + 2;
  const [, family, address = "", destination = "", port = "", destinationPort = ""] = match;
  if (family === undefined) return { kind: "header", octets, client: undefined };
  const isAddress = family === "TCP4" ? isIPv4 : isIPv6;
  if (!isAddress(address) || !isAddress(destination)) return INVALID;
  if (!isPort(port) || !isPort(destinationPort)) return INVALID;
  return { kind: "header", octets, client: { address, port: Number(port) } };
}

function isPort(text: string): boolean {
  return String(Number(text)) === text && Number(text) <= 65_535;
}

function readV2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_FIXED_OCTETS) return INCOMPLETE;
  const command = bytes.readUInt8(12);
  const family = bytes.readUInt8(13);
  const octets = V2_FIXED_OCTETS + bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || octets > V2_MAX_OCTETS) return INVALID;
  if (bytes.length < octets) return INCOMPLETE;
  if (command === LOCAL) return { kind: "header", octets, client: undefined };
  const addresses = bytes.subarray(V2_FIXED_OCTETS, octets);
  switch (family) {
    // Unspecified, or a UNIX socket: the client has no address.
    case 0x00:
    case 0x31:
      return { kind: "header", octets, client: undefined };
    case 0x11:
      if (addresses.length < IPV4_OCTETS) return INVALID;
      return {
        kind: "header",
        octets,
        client: { address: addresses.subarray(0, 4).join("."), port: addresses.readUInt16BE(8) },
      };
    case 0x21:
      if (addresses.length < IPV6_OCTETS) return INVALID;
      return {
        kind: "header",
        octets,
        client: { address: ipv6Text(addresses.subarray(0, 16)), port: addresses.readUInt16BE(32) },
      };
    default:
      return INVALID;
  }
}

function ipv6Text(octets: Buffer): string {
  return Array.from({ length: 8 }, (_, n) => octets.readUInt16BE(2 * n).toString(16)).join(":");
}
