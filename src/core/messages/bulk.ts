import { type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type BeginBulkRequest,
  type BeginBulkResponseSchema,
  type CountBulkRequest,
  type CountBulkResponseSchema,
  MessageFilterSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { idOfPart } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toListed } from "../to-proto.ts";
import type { BulkActions } from "./bulk-action.ts";
import { BULK_JOB, type BulkParams } from "./bulk-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "./confirmation.ts";
import { type BulkSelection, frozenFilter, readBulk } from "./read-bulk.ts";

/** Limit of the count: a higher number would not change a decision. */
const COUNTED_MAX = 100_000;
/** Other calls run between two of these reads. */
const READ_AT_ONCE = 1_000;
/** Well below the deadline of a call. */
const COUNTING_MS = 8_000;
const SAMPLE = 5;

export interface BulkNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "secrets">;
  readonly clock: Clock;
  readonly actions: BulkActions;
}

interface Tally {
  readonly count: number;
  readonly actionable: number;
  readonly hasMore: boolean;
  readonly sample: readonly MessageDocument[];
}

/** Bulk actions: a call counts the selected messages, the client confirms the count, and a job starts. */
export function createBulk({ store, clock, actions }: BulkNeeds) {
  const names = Object.keys(actions);
  const confirmations = createConfirmationOpener(store);

  async function tally(
    { messages }: Pick<AccountStore, "messages">,
    { action, selection, at }: { action: string; selection: BulkSelection; at: Date },
  ): Promise<Tally> {
    const sample: MessageDocument[] = [];
    let [count, actionable] = [0, 0];
    const examine = (found: readonly MessageDocument[]) => {
      count += found.length;
      const able = found.filter((message) => actions[action]?.canAct(message));
      actionable += able.length;
      sample.push(...able.slice(0, SAMPLE - sample.length));
    };
    if ("ids" in selection) {
      examine(await messages.findByIds(selection.ids));
      return { count, actionable, hasMore: false, sample };
    }
    const filter = frozenFilter(selection.filter, at);
    const untilMs = clock.monotonicMs() + COUNTING_MS;
    let beforeId: string | undefined;
    do {
      const page = await messages.list({ filter, limit: READ_AT_ONCE, ...withoutUndefined({ beforeId }) });
      examine(page.messages);
      beforeId = page.nextBeforeId;
    } while (beforeId !== undefined && count < COUNTED_MAX && clock.monotonicMs() < untilMs);
    return { count, actionable, hasMore: beforeId !== undefined, sample };
  }

  return {
    /** @throws Fault account.unknown, request.validation_failed */
    countBulk: async (
      request: CountBulkRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof CountBulkResponseSchema>> => {
      const { action, selection, canonical } = readBulk(request.bulk, names);
      const account = await resolveAccount(store, request);
      const at = clock.now();
      const { sample, ...tallied } = await tally(account, { action, selection, at });
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      const confirmation = (await confirmations()).encode({ ...by, count: tallied.count, at });
      const confirmBefore = timestampFromDate(new Date(at.getTime() + CONFIRMABLE_MS));
      return { ...tallied, sample: await toListed(account, sample), confirmation, confirmBefore };
    },

    /** @throws Fault account.unknown, message.confirmation_invalid, job.too_many, request.validation_failed */
    beginBulk: async (
      request: BeginBulkRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginBulkResponseSchema>> => {
      const { confirmation } = request;
      const { action, selection, canonical, about } = readBulk(request.bulk, names);
      const account = await resolveAccount(store, request);
      const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
      const tallied = (await confirmations()).decode(confirmation, by);
      if (!tallied) throw fault("message.confirmation_invalid");
      const id = idOfPart("job", tallied.at, 0, [account.id, confirmation]);
      const known = await account.jobs.find(id);
      if (known) return { job: toJob(known) };
      const age = clock.now().getTime() - tallied.at.getTime();
      if (age > CONFIRMABLE_MS) throw fault("message.confirmation_invalid");
      const params: BulkParams = {
        action,
        at: tallied.at,
        ...("ids" in selection
          ? { ids: selection.ids }
          : { filter: toJsonString(MessageFilterSchema, selection.filter) }),
      };
      const job = await beginJob(
        account,
        {
          id,
          kind: BULK_JOB,
          params: { ...params },
          about: { action, messages: about, counted: String(tallied.count) },
          permission: "messages.write",
        },
        context,
      );
      return { job: toJob(job) };
    },
  };
}
