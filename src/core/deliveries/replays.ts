import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
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
import type { WebhookDeliveryState } from "../../store/webhook-delivery-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { resolveAccount } from "../resolve-account.ts";
import { REPLAY_JOB, type ReplayParams } from "./replay-job.ts";

/** Limit of the count: a higher number would not change a decision. */
const COUNTED_MAX = 100_000;

/** Sends many deliveries again: they are counted first, and then a job is started. */
export function createReplays({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return {
    /** @throws Fault account.unknown, request.validation_failed, webhook.unknown */
    countReplays: async (
      request: CountReplaysRequest,
    ): Promise<MessageInitShape<typeof CountReplaysResponseSchema>> => {
      const account = await resolveAccount(store, request);
      const count = await account.webhookDeliveries.count(
        await readReplays(account, request.replays, clock.now()),
        COUNTED_MAX + 1,
      );
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
      const { endpointId, from, until, states } = params;
      const about = {
        endpoint: endpointId,
        states: states.join(", "),
        ...(from && { from: from.toISOString() }),
        until: until.toISOString(),
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

/** @throws Fault request.validation_failed, webhook.unknown */
async function readReplays(
  { webhooks }: Pick<AccountStore, "webhooks">,
  replays: Replays | undefined,
  now: Date,
): Promise<ReplayParams> {
  const { endpointId = "", delivered = false } = replays ?? {};
  const from = replays?.from && timestampDate(replays.from);
  const until = replays?.until ? timestampDate(replays.until) : now;
  if (from && from >= until) {
    const message = say("until_after_from");
    throw validationFault([{ pointer: "/from", code: "field.invalid", message }]);
  }
  if (!(await webhooks.find(endpointId))) throw fault("webhook.unknown");
  const states: WebhookDeliveryState[] = delivered ? ["failed", "delivered"] : ["failed"];
  return { endpointId, states, until, ...withoutUndefined({ from }) };
}
