import { isIP } from "node:net";

/** A DNS server, by IP address. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
}

const DEFAULT_PORT = 53;

/** Parses `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`; undefined: the text is none of these. */
export function parseDnsServer(text: string): DnsServer | undefined {
  if (isIP(text) !== 0) return { address: text, port: DEFAULT_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? "";
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  const valid = isIP(address) === (bracketed === undefined ? 4 : 6) && port >= 1 && port <= 65_535;
  return valid ? { address, port } : undefined;
}

export function formatDnsServer({ address, port }: DnsServer): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
