import type { Responsible } from "../../../contracts/common/intel-report-findings.ts";
import type { CheckId } from "../catalogue.ts";

/**
 * Responsible parties by prefix of the check id; the first match counts. All other checks concern the domain's DNS
 * records.
 */
const RESPONSIBLE: readonly (readonly [start: string, Responsible])[] = [
  ["auth.dmarc.alignment", "sending"],
  ["reputation.ptr", "addresses"],
  ["reputation.fcrdns", "addresses"],
  ["reputation.ehlo", "sending"],
  ["transport.mta_sts.policy", "web_server"],
  ["transport.mta_sts.mx", "web_server"],
  ["transport.starttls", "mail_servers"],
  ["transport.cert_", "mail_servers"],
  ["transport.tls_version", "mail_servers"],
  ["infra.ipv6", "mail_servers"],
  ["infra.expiry", "registration"],
  ["bl.", "blacklist"],
];

/** Party that can fix the finding of a check. */
export function responsibleFor(id: CheckId): Responsible {
  return RESPONSIBLE.find(([start]) => id.startsWith(start))?.[1] ?? "dns";
}
