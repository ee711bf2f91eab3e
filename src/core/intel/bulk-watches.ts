import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  BeginWatchBulkRequest,
  BeginWatchBulkResponseSchema,
  BeginWatchRemovalRequest,
  BeginWatchRemovalResponseSchema,
  CountWatchBulkRequest,
  CountWatchBulkResponseSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { MAX_STEP_ITEMS } from "../jobs/job-kind.ts";
import { toJob } from "../jobs/to-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "../messages/confirmation.ts";
import { createReadWatchBulk, type ReadBulk } from "./read-watch-bulk.ts";
import { BULK_WATCH_JOB, type BulkWatchParams, watchActions } from "./watch-bulk-job.ts";

const SAMPLE = 5;

type Context = Pick<HandlerContext, "audit">;

/** Applies an action to many domains: they are counted first, the client confirms the count, and a job starts. */
export function createBulkWatches(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { store, clock } = needs;
  const confirmations = createConfirmationOpener(store);
  const read = createReadWatchBulk(needs);

  /** @throws Fault job.too_many, watched_domain.confirmation_invalid */
  async function start(
    { account, params, ids, canonical }: ReadBulk,
    confirmation: string,
    context: Context,
  ): Promise<{ readonly job: ReturnType<typeof toJob> }> {
    const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
    const confirmed = (await confirmations()).decode(confirmation, by);
    if (!confirmed) throw fault("watched_domain.confirmation_invalid");
    const id = idOfPart("job", confirmed.at, 0, [account.id, confirmation]);
    const known = await account.jobs.find(id);
    if (known) return { job: toJob(known) };
    if (clock.now().getTime() - confirmed.at.getTime() > CONFIRMABLE_MS)
      throw fault("watched_domain.confirmation_invalid");
    const items = [];
    for (let from = 0; from < ids.length; from += MAX_STEP_ITEMS)
      items.push(ids.slice(from, from + MAX_STEP_ITEMS));
    const { action, checkId, clientId, tags, filter } = params;
    const about = {
      action,
      domains: ids.length > 0 ? `${ids.length} selected` : filterText(filter),
      ...(checkId !== undefined && { check: checkId }),
      ...(clientId !== undefined && { client: clientId }),
      ...(tags !== undefined && { tags: tags.join(", ") }),
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
  }

  return {
    /** @throws Fault account.unknown, workspace.unknown, client.unknown, client.archived, request.validation_failed */
    count: async (
      request: CountWatchBulkRequest,
      { audit }: Context,
    ): Promise<MessageInitShape<typeof CountWatchBulkResponseSchema>> => {
      const { account, params, ids, canonical } = await read(request, audit);
      const { workspaceId, filter } = params;
      const { watches } = account;
      const found = await (ids.length > 0
        ? watches.findNamesOf(workspaceId, ids)
        : watches.list(workspaceId, filter, "name", { limit: SAMPLE }));
      const count = ids.length > 0 ? found.length : await watches.count(workspaceId, filter, MAX_COUNTED);
      const at = clock.now();
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      return {
        count,
        sample: found.slice(0, SAMPLE).map(({ name }) => name),
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
      context: Context,
    ): Promise<MessageInitShape<typeof BeginWatchBulkResponseSchema>> => {
      // A removal has an operation of its own, which needs a recent sign-in factor.
      if (request.bulk?.action === "remove") throw notAllowed(watchActions.filter((one) => one !== "remove"));
      return start(await read(request, context.audit), request.confirmation, context);
    },

    /** @throws Fault like `begin` */
    beginRemoval: async (
      request: BeginWatchRemovalRequest,
      context: Context,
    ): Promise<MessageInitShape<typeof BeginWatchRemovalResponseSchema>> => {
      if (request.bulk?.action !== "remove") throw notAllowed(["remove"]);
      return start(await read(request, context.audit), request.confirmation, context);
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

const notAllowed = (allowed: readonly string[]) =>
  validationFault([{ pointer: "/action", code: "field.invalid", message: say("one_of", { allowed }) }]);
