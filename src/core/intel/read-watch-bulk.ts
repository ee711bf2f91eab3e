import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { WatchBulk } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { Audit } from "../../shared/audit.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { readWatchFilter } from "./list-domains.ts";
import { checkNotes, checkTags } from "./read-client.ts";
import { readMuteReason } from "./read-mute.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";
import { BULK_WATCH_JOB, type BulkWatchParams, type WatchAction, watchActions } from "./watch-bulk-job.ts";

const MAX_IDS = 1_000;
const YEAR_MS = 366 * 86_400_000;

/** A bulk action that was read from a request. */
export interface ReadBulk {
  readonly account: AccountStore;
  readonly params: Omit<BulkWatchParams, "at" | "selected" | "parts">;
  readonly ids: readonly string[];
  /** The same for the same action and domains. */
  readonly canonical: string;
}

interface BulkRequest {
  readonly accountId: string;
  readonly bulk?: WatchBulk | undefined;
}

/** Reads an action on many domains from a request. */
export function createReadWatchBulk(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { intel, clock } = needs;
  const entryOf = createEntryOf(intel.lists);

  /** Parameters of an action, without its domains. */
  function paramsOf(action: WatchAction, bulk: WatchBulk | undefined, faults: FieldFaults) {
    const { checkId = "", clientId = "", tags = [], notes } = bulk ?? {};
    const isAboutCheck = action === "mute" || action === "unmute";
    if (isAboutCheck && entryOf(checkId as CheckId) === undefined)
      faults.add("/check_id", "field.invalid", say("no_check"));
    const now = clock.now();
    const until = bulk?.until && timestampDate(bulk.until);
    if (action === "mute" && !(until && until > now && until.getTime() - now.getTime() <= YEAR_MS))
      faults.add("/until", "field.invalid", say("ends_ahead_within_year"));
    const isAboutTags = action === "tag" || action === "untag";
    if (isAboutTags && tags.length === 0) faults.add("/tags", "field.required", say("missing"));
    if (isAboutTags) checkTags(tags, faults);
    if (action === "note" && notes === undefined) faults.add("/notes", "field.required", say("missing"));
    if (action === "note" && notes !== undefined) checkNotes(notes, faults);
    if (faults.found.length > 0) throw validationFault(faults.found);
    const reason = readMuteReason(bulk?.reason ?? "");
    return {
      ...(isAboutCheck && { checkId }),
      ...(action === "mute" && { until, ...(reason !== "" && { reason }) }),
      ...(action === "move" && { clientId }),
      ...(isAboutTags && { tags: [...new Set(tags)] }),
      ...(action === "note" && notes !== undefined && { notes }),
    };
  }

  /** @throws Fault account.unknown, workspace.unknown, client.unknown, client.archived, request.validation_failed */
  return async ({ accountId, bulk }: BulkRequest, audit: Audit): Promise<ReadBulk> => {
    const { workspaceId: asked = "", clientId = "", ids: given = [] } = bulk ?? {};
    const { account, workspaceId } = await resolveWorkspace(needs, { accountId, workspaceId: asked }, audit);
    const faults = createFieldFaults();
    const action = (bulk?.action ?? "") as WatchAction;
    const filter = readWatchFilter(bulk?.filter);
    const ids = [...new Set(given)].sort();
    if (!watchActions.includes(action))
      faults.add("/action", "field.invalid", say("one_of", { allowed: watchActions }));
    if ((ids.length === 0) === (Object.keys(filter).length === 0))
      faults.add("/ids", "field.required", say("give_ids_or_filter_of_domains"));
    if (ids.length > MAX_IDS) faults.add("/ids", "field.too_many", say("at_most", { max: MAX_IDS }));
    const params = { workspaceId, action, filter, ...paramsOf(action, bulk, faults) };
    if (action === "move") await checkClient(account, workspaceId, clientId);
    return { account, params, ids, canonical: JSON.stringify([BULK_WATCH_JOB, params, ids]) };
  };
}

/** @throws Fault client.unknown, client.archived */
async function checkClient({ workspaces }: AccountStore, workspaceId: string, id: string): Promise<void> {
  const client = await workspaces.findClient(id);
  if (client?.workspaceId !== workspaceId) throw fault("client.unknown");
  if (client.status === "archived") throw fault("client.archived");
}
