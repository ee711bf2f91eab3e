import { createOidc, type Oidc } from "../core/access/oidc.ts";
import { readRole } from "../core/access/roles.ts";
import { baseUrlOf } from "./addresses.ts";
import type { Process } from "./process.ts";

/** Redirect URI of the provider; the dashboard's contract has the route. */
const CALLBACK = "/api/session/oidc/callback";

/** The OpenID Connect provider; undefined: none. */
export function composeOidc({ config, clock, log }: Process): Oidc | undefined {
  const { issuer, clientId, roles, ...rest } = config.oidc;
  const baseUrl = baseUrlOf(config, config.http.port || undefined);
  if (issuer === undefined || clientId === undefined || baseUrl === undefined) return undefined;
  const settings = {
    ...rest,
    issuer,
    clientId,
    roles: roles.map(({ value, role }) => ({ value, role: readRole(role) })),
    redirectUri: `${baseUrl.replace(/\/+$/, "")}${CALLBACK}`,
  };
  return createOidc({ settings, clock, log });
}
