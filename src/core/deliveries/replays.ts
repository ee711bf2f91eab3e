import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { eventTypes } from "../../../contracts/events.ts";
import type {
  BeginReplaysRequest,
  BeginReplaysResponseSchema,
  CountReplaysRequest,
  CountReplaysResponseSchema,
  Replays,
} from "../../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AccountStore } from "../../store/store.ts";
import type {
  WebhookDeliveryDocument,
  WebhookDeliveryState,
} from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { resolveAccount } from "../resolve-account.ts";
import { checkType } from "../webhooks/read-settings.ts";
import { readAnswered } from "./delivery-filter.ts";
import { isSelected, REPLAY_JOB, type ReplayParams, rangeOf } from "./replay-job.ts";

/** Limit of the count: a higher number would not change a decision. */
const COUNTED_MAX = 100_000;
/** Limit of the deliveries that are read for a count by type or status, for which there is no index. */
const READ_MAX = 50_000;
const READ_AT_ONCE = 1_000;
const MAX_TYPES = 50;

/** Sends many deliveries again: they are counted first, and then a job is started. */
export function createReplays({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return {
    /** @throws Fault account.unknown, request.validation_failed, webhook.unknown */
    countReplays: async (
      request: CountReplaysRequest,
    ): Promise<MessageInitShape<typeof CountReplaysResponseSchema>> => {
      const account = await resolveAccount(store, request);
      const params = await readReplays(account, request.replays, clock.now());
      if (params.types || params.answered) return countSelected(account, params);
      const count = await account.webhookDeliveries.count(rangeOf(params), COUNTED_MAX + 1);
      return { count: Math.min(count, COUNTED_MAX), hasMore: count > COUNTED_MAX };
    },

    /** @throws Fault account.unknown, request.validation_failed, webhook.unknown, webhook.disabled, job.too_many */
    beginReplays: async (
      request: BeginReplaysRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginReplaysResponseSchema>> => {
      const account = await resolveAccount(store, request);
      const params = await readReplays(account, request.replays, clock.now());
      const endpoint = await account.webhooks.find(params.endpointId);
      if (endpoint?.disabled) throw fault("webhook.disabled");
      const { endpointId, from, until, states, types, answered } = params;
      const about = {
        endpoint: endpointId,
        states: states.join(", "),
        ...(from && { from: from.toISOString() }),
        until: until.toISOString(),
        ...(types && { types: types.join(", ") }),
        ...(answered && { status: answered }),
      };
      const wanted = {
        kind: REPLAY_JOB,
        params: { ...params },
        about,
        permission: "webhooks.write" as const,
      };
      return { job: toJob(await beginJob(account, wanted, context)) };
    },
  };
}

/** Counts the selected deliveries among the newest of the range. */
async function countSelected({ webhookDeliveries }: AccountStore, params: ReplayParams) {
  let count = 0;
  let last: Pick<WebhookDeliveryDocument, "_id" | "at"> | undefined;
  for (let read = 0; read < READ_MAX; read += READ_AT_ONCE) {
    const after = last && { _id: last._id, at: last.at };
    const page = { ...rangeOf(params), limit: READ_AT_ONCE, ...(after && { after }) };
    const found = await webhookDeliveries.list(page);
    count += found.filter((one) => isSelected(params, one)).length;
    last = found.at(-1);
    if (found.length < READ_AT_ONCE || !last) return { count, hasMore: false };
  }
  return { count, hasMore: true };
}

/** @throws Fault request.validation_failed, webhook.unknown */
async function readReplays(
  { webhooks }: Pick<AccountStore, "webhooks">,
  replays: Replays | undefined,
  now: Date,
): Promise<ReplayParams> {
  const { endpointId = "", delivered = false, types = [], status = "" } = replays ?? {};
  const from = replays?.from && timestampDate(replays.from);
  const until = replays?.until ? timestampDate(replays.until) : now;
  const faults = createFieldFaults();
  if (from && from >= until) faults.add("/from", "field.invalid", say("until_after_from"));
  if (types.length > MAX_TYPES) faults.add("/types", "field.too_many", say("at_most", { max: MAX_TYPES }));
  else
    for (const [index, type] of types.entries())
      checkType({ type, known: eventTypes, at: pointer("types", index) }, faults);
  const answered = readAnswered(status, "/status", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  if (!(await webhooks.find(endpointId))) throw fault("webhook.unknown");
  const states: WebhookDeliveryState[] = delivered ? ["failed", "delivered"] : ["failed"];
  const kept = types.length > 0 ? [...new Set(types)] : undefined;
  return { endpointId, states, until, ...withoutUndefined({ from, types: kept, answered }) };
}
