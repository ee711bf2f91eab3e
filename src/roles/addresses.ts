import type { Config } from "../config.ts";
import type { RelyingParty } from "../core/access/webauthn.ts";

/** Addresses of the parts of Hermod: of the parts that this process serves, and the public address of the settings. */
export interface Addresses {
  /** undefined: no HTTP API here, and no address in the settings. */
  readonly baseUrl: string | undefined;
  /** undefined: no relay here. */
  readonly smtp: { readonly host: string; readonly port: number } | undefined;
  /** undefined: no core here. */
  readonly grpc: string | undefined;
  /** Health, metrics and the sandbox inbox. */
  readonly adminUrl: string;
}

interface Ports {
  readonly http: number | undefined;
  readonly smtp: number | undefined;
  readonly grpc: number | undefined;
  readonly admin: number;
}

/** Address of the HTTP API for clients; undefined: not served here, and not in the settings. */
export function baseUrlOf(
  { http: { baseUrl: configured, host, tls } }: Config,
  port: number | undefined,
): string | undefined {
  const scheme = tls.cert === undefined ? "http" : "https";
  return configured ?? (port === undefined ? undefined : `${scheme}://${loopbackFor(host)}:${port}`);
}

/** A part without a port is not served here. */
export function addressesOf(config: Config, { http, smtp, grpc, admin }: Ports): Addresses {
  return {
    baseUrl: baseUrlOf(config, http),
    smtp: smtp === undefined ? undefined : { host: loopbackFor(config.smtp.host), port: smtp },
    grpc: grpc === undefined ? undefined : `${loopbackFor(config.grpc.host)}:${grpc}`,
    adminUrl: `http://${loopbackFor(config.admin.host)}:${admin}`,
  };
}

/** From this machine, a listener on every address is reached on loopback. */
export function loopbackFor(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Relying party of passkeys; undefined: browsers create none there, for example for IP addresses, or without TLS except for
 * localhost (WebAuthn section 5.1.2: a secure context and a valid domain).
 */
export function relyingPartyOf({ http: { baseUrl, port } }: Config): RelyingParty | undefined {
  // Without a setting the address is localhost, which browsers treat as a domain, unlike 127.0.0.1.
  const address = baseUrl ?? (port === 0 ? undefined : `http://localhost:${port}`);
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || /^\[|^[\d.]+$/.test(url.hostname)) return undefined;
  if (url.protocol !== "https:" && url.hostname !== "localhost") return undefined;
  return { origin: url.origin, id: url.hostname };
}
