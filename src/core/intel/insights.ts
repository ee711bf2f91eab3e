import { InsightService } from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createGetScoreHistory } from "./get-score-history.ts";
import { listBlacklistStatus } from "./list-blacklist-status.ts";
import { listBlacklists } from "./list-blacklists.ts";
import { createListDmarcSources } from "./list-dmarc-sources.ts";
import { createListFindingDomains } from "./list-finding-domains.ts";
import { createListFindings } from "./list-findings.ts";
import { createListMutes } from "./list-mutes.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

const READ = permitted("intel.read");

type Needs = Pick<Dependencies, "store" | "intel" | "clock">;

/** Summaries over the watched domains of a client or workspace. */
export const insights: Area<Needs> = defineArea(InsightService, {
  listFindings: [READ, READS, createListFindings],
  listFindingDomains: [READ, READS, createListFindingDomains],
  getScoreHistory: [READ, READS, createGetScoreHistory],
  /** @throws Fault account.unknown, workspace.unknown, and the faults of `listBlacklistStatus` */
  listBlacklistStatus: [
    READ,
    READS,
    (needs) =>
      async (request, { audit }) => {
        const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
        return listBlacklistStatus(needs, { ...request, account, workspaceId });
      },
  ],
  /** @throws Fault account.unknown */
  listBlacklists: [
    READ,
    READS,
    (needs) => async (request) => {
      await resolveAccount(needs.store, request);
      return { lists: await listBlacklists(needs) };
    },
  ],
  listDmarcSources: [READ, READS, createListDmarcSources],
  listMutes: [READ, READS, createListMutes],
});
