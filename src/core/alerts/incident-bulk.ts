import { type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type BeginIncidentBulkRequest,
  type BeginIncidentBulkResponseSchema,
  type CountIncidentBulkRequest,
  type CountIncidentBulkResponseSchema,
  IncidentFilterSchema,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { IncidentState } from "../../alerts/incident.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { idOfPart } from "../../shared/ids.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { toJob } from "../jobs/to-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "../messages/confirmation.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { BulkIncidentAction } from "./alert-engine.ts";
import { INCIDENT_BULK_JOB, type IncidentBulkParams } from "./incident-bulk-job.ts";
import { isMatch } from "./incident-filter.ts";
import { frozenFilter, type IncidentSelection, readIncidentBulk } from "./read-incident-bulk.ts";
import { cursorOf, listIncidents } from "./search-incidents.ts";
import { showIncidents } from "./shown-incidents.ts";

/** Limit of the count: a higher number would not change a decision. */
const COUNTED_MAX = 100_000;
/** Other calls run between two of these reads. */
const READ_AT_ONCE = 1_000;
/** Well below the deadline of a call. */
const COUNTING_MS = 8_000;
const SAMPLE = 5;

type Needs = Pick<Dependencies, "store" | "alertEngine" | "clock">;

interface Selected {
  readonly action: BulkIncidentAction;
  readonly selection: IncidentSelection;
  readonly at: Date;
}

interface Tally {
  readonly count: number;
  readonly actionable: number;
  readonly hasMore: boolean;
  /** Ids of some incidents to which the action applies. */
  readonly sample: readonly string[];
}

/** Bulk actions: a call counts the selected incidents, the client confirms the count, and a job starts. */
export function createIncidentBulk({ store, alertEngine, clock }: Needs) {
  const confirmations = createConfirmationOpener(store);

  async function tally(account: AccountStore, { action, selection, at }: Selected): Promise<Tally> {
    const sample: string[] = [];
    let [count, actionable] = [0, 0];
    const examine = (found: readonly { readonly _id: string; readonly state: IncidentState }[]) => {
      count += found.length;
      const able = found.filter(({ state }) => canAct(action, state));
      actionable += able.length;
      sample.push(...able.slice(0, SAMPLE - sample.length).map(({ _id }) => _id));
    };
    if ("ids" in selection) {
      examine(await account.incidents.findMany(selection.ids));
      return { count, actionable, hasMore: false, sample };
    }
    const filter = frozenFilter(selection.filter, at);
    const untilMs = clock.monotonicMs() + COUNTING_MS;
    let after: string | undefined;
    do {
      const found = await listIncidents(account, { filter, sort: "newest", after, limit: READ_AT_ONCE });
      examine(found.filter((one) => isMatch(filter, one)));
      const last = found.length === READ_AT_ONCE ? found.at(-1) : undefined;
      after = last && cursorOf(last);
    } while (after !== undefined && count < COUNTED_MAX && clock.monotonicMs() < untilMs);
    return { count, actionable, hasMore: after !== undefined, sample };
  }

  return {
    /** @throws Fault account.unknown, request.validation_failed */
    countIncidentBulk: async (
      request: CountIncidentBulkRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof CountIncidentBulkResponseSchema>> => {
      const { action, selection, canonical } = readIncidentBulk(request.bulk);
      const account = await resolveAccount(store, request);
      const at = clock.now();
      const { sample, ...tallied } = await tally(account, { action, selection, at });
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      const incidents = await account.incidents.findMany(sample);
      return {
        ...tallied,
        sample: await showIncidents({ store, alertEngine }, account, incidents),
        confirmation: (await confirmations()).encode({ ...by, count: tallied.count, at }),
        confirmBefore: timestampFromDate(new Date(at.getTime() + CONFIRMABLE_MS)),
      };
    },

    /**
     * @throws Fault account.unknown, incident.confirmation_invalid, job.too_many, request.validation_failed
     */
    beginIncidentBulk: async (
      request: BeginIncidentBulkRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginIncidentBulkResponseSchema>> => {
      const { confirmation } = request;
      const { action, selection, canonical, about } = readIncidentBulk(request.bulk);
      const account = await resolveAccount(store, request);
      const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
      const tallied = (await confirmations()).decode(confirmation, by);
      if (!tallied) throw fault("incident.confirmation_invalid");
      const id = idOfPart("job", tallied.at, 0, [account.id, confirmation]);
      const known = await account.jobs.find(id);
      if (known) return { job: toJob(known) };
      const age = clock.now().getTime() - tallied.at.getTime();
      if (age > CONFIRMABLE_MS) throw fault("incident.confirmation_invalid");
      const params: IncidentBulkParams = {
        action,
        at: tallied.at,
        ...("ids" in selection
          ? { ids: selection.ids }
          : { filter: toJsonString(IncidentFilterSchema, selection.filter) }),
      };
      const wanted = {
        id,
        kind: INCIDENT_BULK_JOB,
        params: { ...params },
        about: { action, incidents: about, counted: String(tallied.count) },
        permission: "incidents.write" as const,
      };
      return { job: toJob(await beginJob(account, wanted, context)) };
    },
  };
}

function canAct(action: BulkIncidentAction, state: IncidentState): boolean {
  return action === "acknowledge" ? state === "open" : state !== "resolved";
}
