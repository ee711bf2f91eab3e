import { hostName } from "../../dns/names.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { Logger } from "../../shared/logger.ts";
import { phrase } from "../../shared/phrase.ts";
import type { RecipientDemand } from "../tls-demand.ts";
import { verifiedDemand, whyUnverified } from "../tls-demand.ts";
import { matchesMx } from "./matches-mx.ts";
import type { MtaSts } from "./mta-sts.ts";

export interface MtaStsDemandOptions {
  readonly mtaSts: MtaSts;
  readonly log: Logger;
}

/** Creates the function that finds the MTA-STS demand on a server of the recipient's domain (RFC 8461 section 4). */
export function createMtaStsDemand({ mtaSts, log }: MtaStsDemandOptions): RecipientDemand {
  return async (text, { exchange }) => {
    const domain = hostName(text);
    if (domain === undefined) return undefined;
    let policy = await mtaSts.policyFor(domain);
    // Mail must not fail because of a policy that the domain has replaced (section 5.1).
    if (policy && policy.mode !== "none" && !matchesMx(exchange, policy.mx)) {
      policy = await mtaSts.freshPolicyFor(domain);
    }
    if (!policy || policy.mode === "none") return undefined;
    const named = matchesMx(exchange, policy.mx);
    if (policy.mode === "enforce") {
      return named ? verifiedDemand : { refused: phrase("tls.mta_sts", { domain, host: exchange }) };
    }
    const report = (reason: string) =>
      log.info({ domain, exchange, reason }, "an MTA-STS policy in testing would not have let this pass");
    if (!named) report("the policy does not name the server");
    return {
      level: "opportunistic",
      // Separate connections, because those of another domain would report to the wrong domain or to none.
      key: `opportunistic mta-sts-testing:${domain}`,
      verify: (peer) => {
        const fault = whyUnverified(peer);
        if (fault) report(safeDetail(fault.text));
        return undefined;
      },
    };
  };
}
