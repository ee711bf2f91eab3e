import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Config, Role } from "../config.ts";
import type { CallerTls } from "../rpc/channels.ts";
import { settingsError } from "../shared/startup-error.ts";

type TlsSetting = Extract<keyof Config, `HERMOD_${"GRPC" | "SMTP"}_TLS_${string}`>;

/**
 * Looks at the certificates of the core, of its callers and of the SMTP listeners before anything listens: what would fail at the first
 * call, or stay without effect in silence, ends the start.
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

function fileFaults(config: Config): string[] {
  const faults: string[] = [];
  const attempt = (setting: TlsSetting, use: () => unknown): void => {
    try {
      use();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.push(`${setting}: cannot be used: ${reason}`);
    }
  };
  for (const setting of ["HERMOD_GRPC_TLS_CLIENT_CA", "HERMOD_GRPC_TLS_CA"] as const) {
    const file = config[setting];
    if (file !== undefined) attempt(setting, () => new X509Certificate(readFileSync(file)));
  }
  for (const side of ["HERMOD_GRPC_TLS", "HERMOD_GRPC_TLS_CLIENT", "HERMOD_SMTP_TLS"] as const) {
    const { [`${side}_CERT` as const]: cert, [`${side}_KEY` as const]: key } = config;
    if (cert === undefined || key === undefined) continue;
    const before = faults.length;
    attempt(`${side}_CERT`, () => new X509Certificate(readFileSync(cert)));
    attempt(`${side}_KEY`, () => readFileSync(key));
    if (faults.length > before) continue;
    attempt(`${side}_KEY`, () => createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }));
  }
  return faults;
}

/** A certificate that is asked for or shown only over TLS must not make anyone think that there is TLS. */
function withoutEffect(config: Config): string[] {
  const needs = [
    ["HERMOD_GRPC_TLS_CLIENT_CA", "HERMOD_GRPC_TLS_CERT"],
    ["HERMOD_GRPC_TLS_CLIENT_CERT", "HERMOD_GRPC_TLS_CA"],
  ] as const;
  return needs
    .filter(([setting, needed]) => config[setting] !== undefined && config[needed] === undefined)
    .map(([setting, needed]) => `${needed}: must be set too: without it ${setting} has no effect`);
}

/** A process with the core calls it as others do, by TLS when the core speaks it. */
function ownCallFaults(config: Config): string[] {
  if (config.HERMOD_GRPC_TLS_CERT === undefined) return [];
  const faults: string[] = [];
  if (config.HERMOD_GRPC_TLS_CA === undefined && config.HERMOD_GRPC_TLS_CLIENT_CERT === undefined) {
    faults.push(
      "HERMOD_GRPC_TLS_CA: must be set too: this process calls its own core, which speaks TLS (HERMOD_GRPC_TLS_CERT)",
    );
  }
  if (config.HERMOD_GRPC_TLS_CLIENT_CA !== undefined && config.HERMOD_GRPC_TLS_CLIENT_CERT === undefined) {
    faults.push(
      "HERMOD_GRPC_TLS_CLIENT_CERT: must be set too: this process calls its own core, which asks for a certificate (HERMOD_GRPC_TLS_CLIENT_CA)",
    );
  }
  return faults;
}

/** What this process shows to cores, and expects of them. */
export function callerTls(config: Config): CallerTls {
  const ca = config.HERMOD_GRPC_TLS_CA;
  if (ca === undefined) return undefined;
  return { ca, cert: config.HERMOD_GRPC_TLS_CLIENT_CERT, key: config.HERMOD_GRPC_TLS_CLIENT_KEY };
}
