import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  BeginWatchBulkRequest,
  BeginWatchBulkResponseSchema,
  CountWatchBulkRequest,
  CountWatchBulkResponseSchema,
  WatchBulk,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart } from "../../shared/ids.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { MAX_STEP_ITEMS } from "../jobs/job-kind.ts";
import { toJob } from "../jobs/to-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "../messages/confirmation.ts";
import { readWatchFilter } from "./list-domains.ts";
import { readMuteReason } from "./read-mute.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";
import { BULK_WATCH_JOB, type BulkWatchParams, type WatchAction, watchActions } from "./watch-bulk-job.ts";

const MAX_IDS = 1_000;
const SAMPLE = 5;
const YEAR_MS = 366 * 86_400_000;

/** A bulk action that was read from a request. */
interface ReadBulk {
  readonly account: AccountStore;
  readonly params: Omit<BulkWatchParams, "at" | "selected" | "parts">;
  readonly ids: readonly string[];
  /** The same for the same action and domains. */
  readonly canonical: string;
}

/** Applies an action to many domains: they are counted first, the client confirms the count, and a job starts. */
export function createBulkWatches(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { store, intel, clock } = needs;
  const confirmations = createConfirmationOpener(store);
  const entryOf = createEntryOf(intel.lists);

  async function read(
    request: { readonly accountId: string; readonly bulk?: WatchBulk | undefined },
    audit: Audit,
  ): Promise<ReadBulk> {
    const { bulk } = request;
    const { workspaceId: asked = "", checkId = "", clientId = "", ids: given = [] } = bulk ?? {};
    const { account, workspaceId } = await resolveWorkspace(
      needs,
      { accountId: request.accountId, workspaceId: asked },
      audit,
    );
    const faults = createFieldFaults();
    const action = (bulk?.action ?? "") as WatchAction;
    const until = bulk?.until && timestampDate(bulk.until);
    const filter = readWatchFilter(bulk?.filter);
    const ids = [...new Set(given)].sort();
    if (!watchActions.includes(action))
      faults.add("/action", "field.invalid", say("one_of", { allowed: watchActions }));
    if ((ids.length === 0) === (Object.keys(filter).length === 0))
      faults.add("/ids", "field.required", say("give_ids_or_filter_of_domains"));
    if (ids.length > MAX_IDS) faults.add("/ids", "field.too_many", say("at_most", { max: MAX_IDS }));
    const isAboutCheck = action === "mute" || action === "unmute";
    if (isAboutCheck && entryOf(checkId as CheckId) === undefined)
      faults.add("/check_id", "field.invalid", say("no_check"));
    const now = clock.now();
    if (action === "mute" && !(until && until > now && until.getTime() - now.getTime() <= YEAR_MS))
      faults.add("/until", "field.invalid", say("ends_ahead_within_year"));
    if (faults.found.length > 0) throw validationFault(faults.found);
    const reason = readMuteReason(bulk?.reason ?? "");
    if (action === "move") await checkClient(account, workspaceId, clientId);
    const params = {
      workspaceId,
      action,
      filter,
      ...(isAboutCheck && { checkId }),
      ...(action === "mute" && { until, ...(reason !== "" && { reason }) }),
      ...(action === "move" && { clientId }),
    };
    return { account, params, ids, canonical: JSON.stringify([BULK_WATCH_JOB, params, ids]) };
  }

  return {
    /** @throws Fault account.unknown, workspace.unknown, client.unknown, client.archived, request.validation_failed */
    count: async (
      request: CountWatchBulkRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof CountWatchBulkResponseSchema>> => {
      const { account, params, ids, canonical } = await read(request, audit);
      const { workspaceId, filter } = params;
      const { watches } = account;
      const firstNames = async () => {
        const page = await watches.list(workspaceId, filter, "name", { limit: SAMPLE });
        return page.map(({ name }) => name);
      };
      const found = await (ids.length > 0 ? watches.findNamesOf(ids) : firstNames());
      const count = ids.length > 0 ? found.length : await watches.count(workspaceId, filter, MAX_COUNTED);
      const at = clock.now();
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      return {
        count,
        sample: found.slice(0, SAMPLE),
        confirmation: (await confirmations()).encode({ ...by, count, at }),
        confirmBefore: timestampFromDate(new Date(at.getTime() + CONFIRMABLE_MS)),
      };
    },

    /**
     * @throws Fault account.unknown, workspace.unknown, client.unknown, client.archived, request.validation_failed,
     *   job.too_many, watched_domain.confirmation_invalid
     */
    begin: async (
      request: BeginWatchBulkRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginWatchBulkResponseSchema>> => {
      const { account, params, ids, canonical } = await read(request, context.audit);
      const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
      const confirmed = (await confirmations()).decode(request.confirmation, by);
      if (!confirmed) throw fault("watched_domain.confirmation_invalid");
      const id = idOfPart("job", confirmed.at, 0, [account.id, request.confirmation]);
      const known = await account.jobs.find(id);
      if (known) return { job: toJob(known) };
      if (clock.now().getTime() - confirmed.at.getTime() > CONFIRMABLE_MS)
        throw fault("watched_domain.confirmation_invalid");
      const items = [];
      for (let from = 0; from < ids.length; from += MAX_STEP_ITEMS)
        items.push(ids.slice(from, from + MAX_STEP_ITEMS));
      const { action, checkId, clientId, filter } = params;
      const about = {
        action,
        domains: ids.length > 0 ? `${ids.length} selected` : filterText(filter),
        ...(checkId !== undefined && { check: checkId }),
        ...(clientId !== undefined && { client: clientId }),
        counted: String(confirmed.count),
      };
      const stored: BulkWatchParams = {
        ...params,
        at: confirmed.at,
        selected: ids.length,
        parts: items.length,
      };
      const wanted = {
        id,
        kind: BULK_WATCH_JOB,
        params: { ...stored },
        about,
        permission: "intel.write" as const,
        items,
      };
      return { job: toJob(await beginJob(account, wanted, context)) };
    },
  };
}

/** More than a workspace can have. */
const MAX_COUNTED = 100_000;

function filterText(filter: object): string {
  return Object.entries(filter)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

/** @throws Fault client.unknown, client.archived */
async function checkClient({ workspaces }: AccountStore, workspaceId: string, id: string): Promise<void> {
  const client = await workspaces.findClient(id);
  if (client?.workspaceId !== workspaceId) throw fault("client.unknown");
  if (client.status === "archived") throw fault("client.archived");
}
