import type { QuarantinedMessage } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { isoTime } from "../output/time.ts";

/** A message that is kept aside, as `--json` writes it; what cannot be read is null. */
export function quarantinedJson(message: QuarantinedMessage) {
  return {
    id: message.id,
    reason: message.reason,
    quarantined_at: isoTime(message.quarantinedAt),
    account_id: message.accountId || null,
    sx_trace_id: message.traceId || null,
    from: message.from || null,
    recipient: message.recipient || null,
    subject: message.subject || null,
  };
}
