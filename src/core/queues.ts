import { create, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MessageFilterSchema } from "../../gen/hermod/message/v1/message_service_pb.ts";
import {
  type HoldSchema,
  type QueueSelection,
  QueueService,
} from "../../gen/hermod/queue/v1/queue_service_pb.ts";
import { parseDomain } from "../message/address/senders.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { changes, READS } from "../rpc/audits.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { waitingStates } from "../shared/message-state.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type HoldDocument, holdId, MAX_HOLDS } from "../store/hold-document.ts";
import type { Dependencies } from "./dependencies.ts";
import { createFieldFaults } from "./field-faults.ts";
import { beginJob } from "./jobs/begin-job.ts";
import { toJob } from "./jobs/to-job.ts";
import { BULK_JOB, type BulkParams } from "./messages/bulk-job.ts";
import { resolveAccount } from "./resolve-account.ts";

type Needs = Pick<Dependencies, "store" | "clock">;
type Selection = Pick<HoldDocument, "accountId" | "destination" | "policy">;

const MAX_REASON_LENGTH = 200;

/** Holds of the queue: waiting messages are not sent until the operator releases them. */
export const queues: Area<Needs> = defineArea(QueueService, {
  holdQueue: [
    OPERATOR_ONLY,
    changes("queue.hold"),
    ({ store, clock }) =>
      async ({ selection: wanted, reason }, { audit }) => {
        const selection = await readSelection(store, wanted);
        if (reason.length > MAX_REASON_LENGTH) {
          const message = say("field_at_most_characters", { field: "reason", max: MAX_REASON_LENGTH });
          throw validationFault([{ pointer: "/reason", code: "field.too_long", message }]);
        }
        const hold = { _id: holdId(selection), ...selection, reason, heldAt: clock.now() };
        const stored = await store.holds.add(hold, audit);
        if (!stored)
          throw fault("queue.too_many_holds", {
            public: say("holds_already", { max: MAX_HOLDS }),
          });
        return { hold: toHold(stored) };
      },
  ],
  releaseQueue: [
    OPERATOR_ONLY,
    changes("queue.release"),
    ({ store }) =>
      async ({ selection: wanted }, { audit }) => {
        // The account may have been deleted since.
        const hold = await store.holds.remove(holdId(parseSelection(wanted)), audit);
        if (!hold) throw fault("queue.hold_unknown");
        return { hold: toHold(hold) };
      },
  ],
  listHolds: [
    OPERATOR_ONLY,
    READS,
    ({ store }) =>
      async (_request) => {
        const holds = await store.holds.list();
        return { holds: holds.toSorted((a, b) => Number(a.heldAt) - Number(b.heldAt)).map(toHold) };
      },
  ],
  /** Cancels waiting messages with the job of bulk actions: it continues after a restart, and can be cancelled. */
  purgeQueue: [
    OPERATOR_ONLY,
    changes("queue.purge"),
    ({ store, clock }) =>
      async (request, context) => {
        const { destination, policy } = parseSelection({ ...request, all: false }, { isAccountGiven: true });
        const account = await resolveAccount(store, request);
        const filter = create(MessageFilterSchema, {
          states: [...waitingStates],
          ...(destination !== undefined && { recipient: `@${destination}` }),
          ...(policy !== undefined && { routingPolicy: policy }),
        });
        const params: BulkParams = {
          action: "cancel",
          at: clock.now(),
          filter: toJsonString(MessageFilterSchema, filter),
        };
        const about = { action: "cancel", ...withoutUndefined({ destination, policy }) };
        const wanted = {
          kind: BULK_JOB,
          params: { ...params },
          about,
          permission: "messages.write",
        } as const;
        return { job: toJob(await beginJob(account, wanted, context)) };
      },
  ],
});

/** @throws Fault account.unknown, request.validation_failed */
async function readSelection(store: Needs["store"], wanted: QueueSelection | undefined): Promise<Selection> {
  const selection = parseSelection(wanted);
  if (selection.accountId !== undefined) await store.accounts.resolve(selection.accountId);
  return selection;
}

/** @throws Fault request.validation_failed */
function parseSelection(
  wanted: Pick<QueueSelection, "accountId" | "destination" | "policy" | "all"> | undefined,
  { isAccountGiven = false } = {},
): Selection {
  const { accountId = "", destination = "", policy = "", all = false } = wanted ?? {};
  const faults = createFieldFaults();
  const isEmpty = accountId === "" && destination === "" && policy === "";
  if (all && !isEmpty) faults.add("/all", "field.invalid", say("all_alone"));
  if (!all && isEmpty && !isAccountGiven)
    faults.add("/selection", "field.required", say("selection_missing"));
  if (policy !== "" && accountId === "" && !isAccountGiven)
    faults.add("/account_id", "field.required", say("policy_needs_account"));
  const domain = destination === "" ? undefined : parseDomain(destination);
  if (domain && !domain.ok)
    faults.add("/destination", "field.invalid", say("destination_domain", { detail: domain.message.text }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return withoutUndefined({
    accountId: accountId || undefined,
    destination: domain?.ok ? domain.domain : undefined,
    policy: policy || undefined,
  });
}

function toHold({
  _id: id,
  accountId,
  destination,
  policy,
  reason,
  heldAt,
}: HoldDocument): MessageInitShape<typeof HoldSchema> {
  const selection = { accountId: accountId ?? "", destination: destination ?? "", policy: policy ?? "" };
  const all = accountId === undefined && destination === undefined && policy === undefined;
  return { id, selection: { ...selection, all }, reason, heldAt: timestampFromDate(heldAt) };
}
