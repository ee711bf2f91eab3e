import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type WatchedDomainSchema, WatchService } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, refusals } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { createBulkWatches } from "./bulk-watches.ts";
import { createCheckWatchedDomain } from "./check-watched-domain.ts";
import { describeDomains } from "./describe-domains.ts";
import { createImportWatches } from "./import-watches.ts";
import { listDomains } from "./list-domains.ts";
import { createListWatchChanges } from "./list-watch-changes.ts";
import { createListWatchOffers } from "./list-watch-offers.ts";
import { readMuteReason } from "./read-mute.ts";
import { readWatch, readWatchedName, subjectKeys } from "./read-watch.ts";
import { createGetReportInbox, createUploadReport } from "./report-inbox.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

const READ = permitted("intel.read");
const WRITE = permitted("intel.write");
const YEAR_MS = 366 * 86_400_000;

type Needs = Pick<Dependencies, "store" | "intel" | "clock" | "log" | "onReport" | "afterwards">;

/** Watched domains. */
export const watches: Area<Needs> = defineArea(WatchService, {
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid */
  listWatchedDomains: [
    READ,
    READS,
    (needs) =>
      async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        return listDomains(needs, { ...request, account, workspaceId });
      },
  ],
  /** @throws Fault account.unknown, watched_domain.unknown */
  getWatchedDomain: [
    READ,
    READS,
    (needs) => async (request) => {
      const account = await resolveAccount(needs.store, request);
      return describe(needs, account, await account.watches.find(request.id));
    },
  ],
  /** @throws Fault account.unknown, workspace.unknown, request.validation_failed, client.*, domain.duplicate, watched_domain.too_many */
  addWatchedDomain: [
    WRITE,
    changes("watched_domain.add", "name"),
    (needs) =>
      async (request, { audit }) => {
        const { allowsPrivate } = needs.intel;
        const account = await resolveAccount(needs.store, request);
        const named = readWatchedName(request.name, allowsPrivate);
        const settings = readWatch(request.settings, allowsPrivate);
        const { clientId } = request;
        const client = await account.workspaces.findClient(clientId);
        const isElsewhere = request.workspaceId !== "" && client?.workspaceId !== request.workspaceId;
        if (!client || isElsewhere) throw fault("client.unknown");
        const { workspaceId } = client;
        const subjects = subjectKeys(named.name, settings.sendingIps);
        const outcome = await account.watches.add(
          { ...named, ...settings, clientId, workspaceId, subjects },
          audit,
        );
        if (!("domain" in outcome)) throw new Error("a request without a key has an earlier answer");
        return describe(needs, account, outcome.domain);
      },
  ],
  /** @throws Fault account.unknown, watched_domain.unknown, request.validation_failed, client.unknown, client.archived, resource.stale */
  updateWatchedDomain: [
    WRITE,
    changes("watched_domain.update", "id"),
    (needs) =>
      async (request, { audit }) => {
        const account = await resolveAccount(needs.store, request);
        const settings = readWatch(request.settings, needs.intel.allowsPrivate);
        const before = await account.watches.find(request.id);
        if (!before) throw fault("watched_domain.unknown");
        const subjects = subjectKeys(before.name, settings.sendingIps);
        const clientId = request.clientId === "" ? undefined : request.clientId;
        const { id, ifRevision } = request;
        const after = await account.watches.update(
          id,
          { ...settings, subjects },
          clientId,
          audit,
          ifRevision,
        );
        return describe(needs, account, after);
      },
  ],
  /** @throws Fault account.unknown, watched_domain.unknown, resource.in_use, resource.stale */
  removeWatchedDomain: [
    WRITE,
    changes("watched_domain.remove", "id"),
    ({ store, afterwards }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, ifRevision } = request;
        const removal = createRemoval({ kind: "watched_domain", name: "" }, request);
        const isRemoved = await account.watches.remove(id, audit, removal.check, ifRevision);
        if (!isRemoved) throw fault("watched_domain.unknown");
        // There may be many of them, and they are no longer accessible.
        afterwards.run(() => account.aggregateReports.forget(request.id));
        return removal.answer();
      },
  ],
  /** @throws Fault account.unknown, watched_domain.unknown, watched_domain.check_too_soon */
  checkWatchedDomain: [
    WRITE,
    refusals("watched_domain.check", "id"),
    (needs) => {
      const check = createCheckWatchedDomain(needs);
      return async (request) => {
        const account = await resolveAccount(needs.store, request);
        return describe(needs, account, await check(account, request.id));
      };
    },
  ],
  /** @throws Fault account.unknown, watched_domain.unknown, request.validation_failed, resource.stale */
  muteCheck: [
    WRITE,
    changes("watched_domain.mute", "id"),
    (needs) =>
      async (request, { audit }) => {
        const account = await resolveAccount(needs.store, request);
        if (!(await account.watches.find(request.id))) throw fault("watched_domain.unknown");
        const { checkId } = request;
        const now = needs.clock.now();
        const until = request.until && timestampDate(request.until);
        if (!createEntryOf(needs.intel.lists)(checkId as CheckId)) {
          const message = say("no_check");
          throw validationFault([{ pointer: "/check_id", code: "field.invalid", message }]);
        }
        if (until && (until <= now || until.getTime() - now.getTime() > YEAR_MS)) {
          const message = say("ends_ahead_within_year");
          throw validationFault([{ pointer: "/until", code: "field.invalid", message }]);
        }
        const { id, ifRevision } = request;
        const wanted = { checkId, until, reason: readMuteReason(request.reason) };
        return describe(needs, account, await account.watches.mute(id, wanted, audit, ifRevision));
      },
  ],
  listWatchOffers: [READ, READS, createListWatchOffers],
  listWatchChanges: [READ, READS, createListWatchChanges],
  previewWatchImport: [WRITE, READS, (needs) => createImportWatches(needs).preview],
  beginWatchImport: [WRITE, changes("watched_domain.import"), (needs) => createImportWatches(needs).begin],
  countWatchBulk: [WRITE, READS, (needs) => createBulkWatches(needs).count],
  beginWatchBulk: [WRITE, changes("watched_domain.bulk"), (needs) => createBulkWatches(needs).begin],
  beginWatchRemoval: [
    WRITE,
    changes("watched_domain.bulk"),
    (needs) => createBulkWatches(needs).beginRemoval,
  ],
  uploadReport: [WRITE, refusals("watched_domain.upload_report", "id"), createUploadReport],
  getReportInbox: [READ, READS, createGetReportInbox],
});

/** The domain with all its data. */
async function describe(
  { intel, clock }: Pick<Needs, "intel" | "clock">,
  account: AccountStore,
  domain: WatchedDomainDocument | null,
): Promise<{ readonly domain: MessageInitShape<typeof WatchedDomainSchema> }> {
  if (!domain) throw fault("watched_domain.unknown");
  const [described] = await describeDomains({
    account,
    domains: [domain],
    intel,
    now: clock.now(),
    withChecks: true,
    withHistory: true,
  });
  return { domain: described ?? {} };
}
