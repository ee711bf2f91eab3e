import type { Sender } from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import { isoTime } from "../output/time.ts";

/** A sender as `--json` writes it. */
export function senderJson(sender: Sender) {
  return {
    id: sender.id,
    account_id: sender.accountId,
    kind: sender.kind,
    value: sender.value,
    verified_at: isoTime(sender.verifiedAt),
  };
}
