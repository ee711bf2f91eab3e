import { safeDetail } from "../../message/replies/outcome.ts";
import type { TlsDemand, TlsPeer } from "./tls-demand.ts";

/** What is wrong with a certificate that a trusted authority should have issued for this server. */
export function whyUnverified({ authorized, authorizationError, serverName }: TlsPeer): string | undefined {
  if (authorized) return undefined;
  return safeDetail(
    `the certificate does not prove ${serverName}: ${authorizationError ?? "unknown reason"}`,
  );
}

/** TLS with a certificate of the server's name, issued by an authority that this machine trusts. */
export const verifiedDemand: TlsDemand = {
  level: "required",
  key: "required verified",
  verify: whyUnverified,
};
