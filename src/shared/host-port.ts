import { isIPv6 } from "node:net";

export interface HostPort {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads `core.example.com:50051`, `10.0.0.7:50051` or `[fd00::7]:50051`; undefined: it is none of these. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^\s:,/[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  return { host, port };
}

/** The inverse of `parseHostPort`. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The parts of a comma-separated list of addresses; empty when one of them is none. */
export function parseHostPorts(text: string): HostPort[] {
  const parts = text.split(",").map((part) => parseHostPort(part.trim()));
  return parts.every((part) => part !== undefined) ? parts : [];
}
