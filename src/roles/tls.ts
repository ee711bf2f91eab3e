import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Config, Role } from "../config.ts";
import type { CallerTls } from "../rpc/channels.ts";
import { settingsError } from "../shared/startup-error.ts";

/**
 * Checks the certificates of the HTTP API, of the core, of its callers and of the SMTP listeners before anything
 * listens. A certificate that would fail at the first call, or silently have no effect, ends the start.
 * @throws StartupError naming every setting that cannot be used
 */
export function checkTls(config: Config, roles: ReadonlySet<Role>): void {
  const faults = [
    ...fileFaults(config),
    ...withoutEffect(config),
    ...(roles.has("core") ? ownCallFaults(config) : []),
  ];
  if (faults.length > 0) throw settingsError(faults);
}

function fileFaults({ grpc, http, smtp }: Config): string[] {
  const faults: string[] = [];
  const attempt = (setting: string, use: () => unknown): void => {
    try {
      use();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.push(`${setting}: cannot be used: ${reason}`);
    }
  };
  const authorities = { HERMOD_GRPC_TLS_CLIENT_CA: grpc.tls.clientCa, HERMOD_GRPC_TLS_CA: grpc.callerTls.ca };
  for (const [setting, file] of Object.entries(authorities)) {
    if (file !== undefined) attempt(setting, () => new X509Certificate(readFileSync(file)));
  }
  const pairs = {
    HERMOD_HTTP_TLS: http.tls,
    HERMOD_GRPC_TLS: grpc.tls,
    HERMOD_GRPC_TLS_CLIENT: grpc.callerTls,
    HERMOD_SMTP_TLS: smtp.tls,
  };
  for (const [side, { cert, key }] of Object.entries(pairs)) {
    if (cert === undefined || key === undefined) continue;
    const before = faults.length;
    attempt(`${side}_CERT`, () => new X509Certificate(readFileSync(cert)));
    attempt(`${side}_KEY`, () => readFileSync(key));
    if (faults.length > before) continue;
    attempt(`${side}_KEY`, () => createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }));
  }
  return faults;
}

/** Faults of certificates that have no effect without TLS: the operator would assume that TLS is on. */
function withoutEffect({ grpc: { tls, callerTls: caller } }: Config): string[] {
  const needs = [
    ["HERMOD_GRPC_TLS_CLIENT_CA", tls.clientCa, "HERMOD_GRPC_TLS_CERT", tls.cert],
    ["HERMOD_GRPC_TLS_CLIENT_CERT", caller.cert, "HERMOD_GRPC_TLS_CA", caller.ca],
  ] as const;
  return needs
    .filter(([, given, , needed]) => given !== undefined && needed === undefined)
    .map(([setting, , needed]) => `${needed}: must also be set, because ${setting} has no effect without it`);
}

/** Faults of calls to the core of the same process, which use TLS if the core does. */
function ownCallFaults({ grpc: { tls, callerTls: caller } }: Config): string[] {
  if (tls.cert === undefined) return [];
  const faults: string[] = [];
  if (caller.ca === undefined && caller.cert === undefined) {
    faults.push(
      "HERMOD_GRPC_TLS_CA: must also be set, because this process calls its own core, which uses TLS (HERMOD_GRPC_TLS_CERT)",
    );
  }
  if (tls.clientCa !== undefined && caller.cert === undefined) {
    faults.push(
      "HERMOD_GRPC_TLS_CLIENT_CERT: must also be set, because this process calls its own core, which requires a certificate (HERMOD_GRPC_TLS_CLIENT_CA)",
    );
  }
  return faults;
}

/** Own certificate for calls to cores, and the authority of theirs. */
export function callerTls({ grpc: { callerTls: caller } }: Config): CallerTls {
  const { ca, cert, key } = caller;
  return ca === undefined ? undefined : { ca, cert, key };
}
