import type { Role } from "../config.ts";
import type { CoreClient } from "../rpc/client.ts";
import type { Process } from "./process.ts";
import type { Checks } from "./readiness.ts";
import type { SmtpParts, SmtpPorts } from "./smtp.ts";

/** The front ends of one process, listening. */
export interface FrontEnds {
  /** undefined: there is no such role in this process. */
  readonly http: { readonly port: number } | undefined;
  readonly smtp: SmtpPorts | undefined;
  /** For /readyz. */
  readonly checks: Checks;
}

export interface FrontEndParts extends SmtpParts {
  readonly roles: ReadonlySet<Role>;
}

/** Loaded only where they run. */
const parts = {
  edge: () => import("./edge.ts"),
  smtp: () => import("./smtp.ts"),
};

/** Loads what `composeFrontEnds` is going to need, for those who have time to. */
export async function loadFrontEnds(roles: ReadonlySet<Role>): Promise<void> {
  await Promise.all([roles.has("edge") && parts.edge(), roles.has("smtp") && parts.smtp()]);
}

/**
 * The HTTP API and the SMTP listeners, as far as the process has these roles.
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
