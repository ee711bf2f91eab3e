import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageEventSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import type { PolicyHoldSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { isFinal } from "../shared/message-state.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { Store } from "../store/store.ts";
import { operatorHoldsOf, toOperatorHold, toPolicyHold } from "./policies/policy-holds.ts";
import { toTextParts } from "./text-parts.ts";

type Hold = MessageInitShape<typeof PolicyHoldSchema>;
type Entry = MessageInitShape<typeof MessageEventSchema>;

/** Finds the hold that keeps a waiting message in the queue: one of its account, or else one of the operator. */
export async function holdOf(
  { forAccount, holds }: Pick<Store, "forAccount" | "holds">,
  { accountId, policy, recipientDomain: destination, state }: MessageDocument,
): Promise<Hold | undefined> {
  if (isFinal(state)) return undefined;
  const [own, all] = await Promise.all([
    forAccount(accountId).policyHolds.ofMessage(policy, destination),
    holds.list(),
  ]);
  const [first] = own.toSorted((a, b) => a.heldAt.getTime() - b.heldAt.getTime());
  if (first) return toPolicyHold(first);
  const [ofOperator] = operatorHoldsOf(all, accountId, { policy, destination });
  return ofOperator && toOperatorHold(ofOperator);
}

/** Adds the hold to the timeline of a message. It is derived, and not stored with the message. */
export function withHold(
  timeline: readonly Entry[],
  message: MessageDocument,
  hold: Hold | undefined,
): Entry[] {
  if (!hold) return [...timeline];
  const heldAt = timeOf(hold.heldAt);
  const at = new Date(Math.max(heldAt.getTime(), message.createdAt.getTime()));
  const { text, parts } = detailOf(hold);
  const held: Entry = {
    id: `${message._id}.held`,
    kind: "held",
    at: timestampFromDate(at),
    attempt: 0,
    detail: text,
    detailParts: toTextParts(parts),
  };
  const later = timeline.findIndex((entry) => timeOf(entry.at) > at);
  return later === -1 ? [...timeline, held] : [...timeline.slice(0, later), held, ...timeline.slice(later)];
}

function detailOf({ owner, heldBy, reason = "" }: Hold): Phrase {
  if (owner === "operator")
    return reason === ""
      ? phrase("message.held_by_operator")
      : phrase("message.held_by_operator_because", { reason });
  const name = heldBy?.name ?? "";
  return reason === "" ? phrase("message.held", { name }) : phrase("message.held_because", { name, reason });
}

function timeOf(at: Entry["at"]): Date {
  return new Date(Number(at?.seconds ?? 0n) * 1_000 + (at?.nanos ?? 0) / 1e6);
}
