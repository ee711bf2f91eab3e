import type { Suppression } from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { printable } from "../output/printable.ts";
import { isoTime, plainTime } from "../output/time.ts";

/** A suppression as `--json` writes it. */
export function suppressionJson(entry: Suppression) {
  return {
    account_id: entry.accountId,
    address: entry.address,
    reason: entry.reason,
    policy: entry.policy || null,
    message_id: entry.messageId || null,
    detail: entry.detail || null,
    created_at: isoTime(entry.createdAt),
    expire_at: isoTime(entry.expireAt),
  };
}

/** For people: what is not sent, until when. */
export function describeSuppression({ address, reason, policy, expireAt }: Suppression): string {
  const mail = policy === "" ? "No mail" : `No mail of the policy "${printable(policy)}"`;
  const until = expireAt ? `until ${plainTime(expireAt)}` : "from now on";
  return `${mail} is sent to ${printable(address)} ${until} (${reason}).`;
}
