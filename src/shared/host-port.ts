import { isIPv6 } from "node:net";

export interface HostPort {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses `core.example.com:50051`, `10.0.0.7:50051` or `[fd00::7]:50051`; undefined: the text is none of these. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^\s:,/[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  return { host, port };
}

/** Inverse of `parseHostPort`. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Parses a comma-separated list of addresses. Empty if one of them is invalid. */
export function parseHostPorts(text: string): HostPort[] {
  const parts = text.split(",").map((part) => parseHostPort(part.trim()));
  return parts.every((part) => part !== undefined) ? parts : [];
}
