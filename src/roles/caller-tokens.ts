import type { Config, Role } from "../config.ts";
import type { CallerTokens } from "../rpc/callers.ts";
import { settingsError } from "../shared/startup-error.ts";
import type { DataDir } from "./data-dir.ts";

/** Tokens that a process presents to cores of other processes. */
export interface CredentialTokens {
  readonly frontEnd: string | undefined;
  readonly worker: string | undefined;
}

/** The tokens that the core of this process accepts: those of the settings, else those of the data folder. */
export async function acceptedTokens(config: Config, dataDir: DataDir): Promise<CallerTokens> {
  return {
    operator: config.grpc.tokens.operator ?? (await dataDir.callerToken("operator")),
    front_end: config.grpc.tokens.frontEnd ?? (await dataDir.callerToken("front_end")),
    worker: config.grpc.tokens.worker ?? (await dataDir.callerToken("worker")),
  };
}

/** @param accepted those of the core of this process, if there is one */
export function credentialTokens(config: Config, accepted: CallerTokens | undefined): CredentialTokens {
  const { operator } = config.grpc.tokens;
  return {
    frontEnd: config.grpc.tokens.frontEnd ?? operator ?? accepted?.front_end,
    worker: config.grpc.tokens.worker ?? operator ?? accepted?.worker,
  };
}

/** @throws StartupError naming the settings that a process without the core needs to reach it */
export function requireCoreElsewhere(config: Config, roles: ReadonlySet<Role>): void {
  const { frontEnd, worker } = credentialTokens(config, undefined);
  const faults: string[] = [];
  if ((roles.has("edge") || roles.has("smtp")) && frontEnd === undefined) {
    faults.push(missing("HERMOD_GRPC_FRONT_END_TOKEN"));
  }
  if (roles.has("worker") && worker === undefined) faults.push(missing("HERMOD_GRPC_WORKER_TOKEN"));
  if (config.grpc.address === undefined) {
    faults.push(
      "HERMOD_GRPC_ADDRESS: must be set to the core's host:port in a process that does not run the core.",
    );
  }
  if (faults.length > 0) throw settingsError(faults);
}

function missing(setting: string): string {
  return `${setting}: must be set to the core's value in a process that does not run the core.`;
}
