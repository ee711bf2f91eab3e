import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type BeginSuppressionRemovalRequest,
  type BeginSuppressionRemovalResponseSchema,
  type CountSuppressionRemovalRequest,
  type CountSuppressionRemovalResponseSchema,
  type CountSuppressionsRequest,
  type CountSuppressionsResponseSchema,
  type SuppressionFilter,
  SuppressionFilterSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { suppressionReasons } from "../../store/documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "../messages/confirmation.ts";
import { searchPage } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toSuppression } from "../to-proto.ts";
import { type EntryFilter, readFilter, searchFor } from "./read-filter.ts";
import { REMOVAL_JOB, type RemovalParams } from "./removal-job.ts";

/** Limit of the count per reason. A removal covers all entries. */
const COUNTED_MAX = 10_000;
const SAMPLE = 5;

interface RemovalNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "secrets">;
  readonly clock: Clock;
}

/**
 * Counts entries by reason, and removes those that match a filter: a call counts them, the client confirms the count,
 * and a job starts.
 */
export function createRemoveMatching({ store, clock }: RemovalNeeds) {
  const confirmations = createConfirmationOpener(store);

  return {
    /** @throws Fault account.unknown, request.validation_failed */
    countSuppressions: async (
      request: CountSuppressionsRequest,
      context: Pick<HandlerContext, "actor">,
    ): Promise<MessageInitShape<typeof CountSuppressionsResponseSchema>> => {
      const filter = readFilter(create(SuppressionFilterSchema, request.filter));
      const account = await resolveAccount(store, request, context);
      return { reasons: await countByReason(account, filter, clock.now()) };
    },

    /** @throws Fault account.unknown, request.validation_failed */
    countSuppressionRemoval: async (
      request: CountSuppressionRemovalRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof CountSuppressionRemovalResponseSchema>> => {
      const { filter, canonical } = readRemoval(request.filter);
      const account = await resolveAccount(store, request);
      const at = clock.now();
      const reasons = await countByReason(account, filter, at);
      const { read, matches = () => true, cursorOf } = searchFor(filter, at);
      const { entries } = await searchPage({
        read: (after, limit) => read(account.suppressions, { after, limit }),
        matches,
        cursorOf,
        start: undefined,
        limit: SAMPLE,
      });
      const count = reasons.reduce((sum, { count }) => sum + count, 0);
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      return {
        reasons,
        sample: entries.map(toSuppression),
        confirmation: (await confirmations()).encode({ ...by, count, at }),
        confirmBefore: timestampFromDate(new Date(at.getTime() + CONFIRMABLE_MS)),
      };
    },

    /** @throws Fault account.unknown, suppression.confirmation_invalid, job.too_many, request.validation_failed */
    beginSuppressionRemoval: async (
      request: BeginSuppressionRemovalRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginSuppressionRemovalResponseSchema>> => {
      const { filter, canonical, about } = readRemoval(request.filter);
      const account = await resolveAccount(store, request);
      const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
      const confirmed = (await confirmations()).decode(request.confirmation, by);
      if (!confirmed) throw fault("suppression.confirmation_invalid");
      const id = idOfPart("job", confirmed.at, 0, [account.id, request.confirmation]);
      const known = await account.jobs.find(id);
      if (known) return { job: toJob(known) };
      if (clock.now().getTime() - confirmed.at.getTime() > CONFIRMABLE_MS) {
        throw fault("suppression.confirmation_invalid");
      }
      const params: RemovalParams = { filter: withoutUndefined(filter), at: confirmed.at };
      const wanted = {
        id,
        kind: REMOVAL_JOB,
        params: { ...params },
        permission: "suppressions.write" as const,
      };
      const counted = String(confirmed.count);
      return {
        job: toJob(await beginJob(account, { ...wanted, about: { filter: about, counted } }, context)),
      };
    },
  };
}

async function countByReason({ suppressions }: AccountStore, filter: EntryFilter, now: Date) {
  const reasons = filter.reason === undefined ? suppressionReasons : [filter.reason];
  const counts = [];
  for (const reason of reasons) {
    const count = await suppressions.count({ ...filter, reason }, { limit: COUNTED_MAX + 1, now });
    counts.push({ reason, count: Math.min(count, COUNTED_MAX), hasMore: count > COUNTED_MAX });
  }
  return counts;
}

/** @throws Fault request.validation_failed: an empty filter does not select all entries */
function readRemoval(given: SuppressionFilter | undefined) {
  const message = create(SuppressionFilterSchema, given);
  const filter = readFilter(message);
  const shown = toJson(SuppressionFilterSchema, message, { useProtoFieldName: true }) as object;
  const entries = Object.entries(shown).sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) {
    const detail = say("filter_not_empty");
    throw validationFault([{ pointer: "/filter", code: "field.required", message: detail }]);
  }
  const about = entries.map(([name, value]) => `${name}=${value}`).join(", ");
  return { filter, canonical: JSON.stringify(["suppression.remove", entries]), about };
}
