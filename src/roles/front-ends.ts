import type { Role } from "../config.ts";
import type { CoreClient } from "../rpc/client.ts";
import type { Process } from "./process.ts";
import type { Checks } from "./readiness.ts";
import type { SmtpParts, SmtpPorts } from "./smtp.ts";

/** The listening front ends of one process. */
export interface FrontEnds {
  /** undefined: this process does not have the role. */
  readonly http: { readonly port: number } | undefined;
  readonly smtp: SmtpPorts | undefined;
  /** For /readyz. */
  readonly checks: Checks;
}

export interface FrontEndParts extends SmtpParts {
  readonly roles: ReadonlySet<Role>;
}

/** Loaded only if needed. */
const parts = {
  edge: () => import("./edge.ts"),
  smtp: () => import("./smtp.ts"),
};

/** Preloads the modules of `composeFrontEnds`. */
export async function loadFrontEnds(roles: ReadonlySet<Role>): Promise<void> {
  await Promise.all([roles.has("edge") && parts.edge(), roles.has("smtp") && parts.smtp()]);
}

/**
 * Opens the HTTP API and the SMTP listeners, if the process has these roles.
 * @throws StartupError
 */
export async function composeFrontEnds(
  process: Process,
  core: CoreClient,
  { roles, ...smtpParts }: FrontEndParts,
): Promise<FrontEnds> {
  const edge = roles.has("edge") ? await (await parts.edge()).composeEdge(process, core) : undefined;
  const smtp = roles.has("smtp")
    ? await (await parts.smtp()).composeSmtp(process, core, smtpParts)
    : undefined;
  return { http: edge && { port: edge.port }, smtp, checks: { ...edge?.checks } };
}
