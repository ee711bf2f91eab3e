import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { auditActor } from "../common/audit-actor.ts";
import { historySteps } from "../common/history-steps.ts";
import {
  blacklistHealths,
  dmarcSource,
  dmarcTotals,
  findingDetails,
  findings,
  scoreHistory,
} from "../common/insight-schemas.ts";
import { blacklistFilter } from "../common/intel-filters.ts";
import { clientId, domainId, listing, workspaceId } from "../common/intel-schemas.ts";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";
import { workspaceQuery } from "./workspaces.ts";

const c = initContract();

/** Query parameters that select one domain, the domains of a client, or those of a workspace. */
const scopeQuery = {
  workspace_id: workspaceId.optional().meta({
    description:
      "Id of the workspace. Missing: that of the client or domain, or the first workspace of the account.",
  }),
  client_id: clientId.optional().meta({ description: "Only domains of this client." }),
  domain_id: domainId.optional().meta({ description: "Only this domain." }),
};

const scopeFaults = ["workspace.unknown", "client.unknown", "watched_domain.unknown"] as const;
const listFaults = ["request.validation_failed", "cursor.invalid", ...scopeFaults] as const;

const checkId = text("Id of the check. The documentation has the catalog.", "auth.dmarc.policy");

export const mute = z
  .object({
    domain_id: domainId,
    domain: text("Domain in A-labels.", "example.com"),
    client_id: clientId,
    check_id: checkId,
    title: text("Requirement that the check verifies.", "DMARC asks for quarantine or rejection"),
    until: moment("End of the mute."),
    reason: text("Reason of the mute; `null` if none was given.").nullable(),
    by: auditActor
      .nullable()
      .meta({ description: "Author of the mute; `null` if an earlier release stored it." }),
    at: moment("Time at which the check was muted; `null` if an earlier release stored it.").nullable(),
  })
  .meta({ id: "ListedMute", description: "Mute of a check of one domain." });

export const insights = c.router({
  listFindings: {
    method: "GET",
    path: "/api/intel/findings",
    summary: "List what to repair first",
    description:
      "Lists the findings of a workspace, client or domain, each with the number of affected domains and the points that its repair gains over all of them, largest gain first. Muted findings and paused domains do not count. The result of the last check of each domain counts.",
    query: z.strictObject(scopeQuery),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", ...scopeFaults],
      success: { 200: findings },
    }),
  },
  listFindingDomains: {
    method: "GET",
    path: "/api/intel/findings/:check_id/domains",
    pathParams: z.object({ check_id: checkId }),
    summary: "List the domains with a finding",
    description:
      "Lists the domains on which a check is a finding, each with the gain of its repair and the record to publish, largest gain first.",
    query: pageQuery.extend(scopeQuery),
    ...reading({
      access: "intel.read",
      faults: listFaults,
      success: { 200: page("FindingDetailsList", findingDetails) },
    }),
  },
  getScoreHistory: {
    method: "GET",
    path: "/api/intel/history",
    summary: "Get the history of a score",
    description:
      "Returns the score at the end of each step of a range: of a domain, or the mean over the domains that a client or workspace had at that time. The history of clients and workspaces begins with the first check after the update to this release.",
    query: z.strictObject({
      ...scopeQuery,
      from: moment(
        "Beginning of the range. Missing: 30 steps before its end.",
        "2030-01-01T00:00:00Z",
      ).optional(),
      until: moment("End of the range, at most now. Missing: now.", "2030-02-01T00:00:00Z").optional(),
      step: z.enum(historySteps).optional().meta({
        description:
          "Length of a step, in UTC: `day`, `week` (from Monday) or `month`. A range has at most 400 steps. Default: `day`.",
      }),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", ...scopeFaults],
      success: { 200: scoreHistory },
    }),
  },
  listBlacklistStatus: {
    method: "GET",
    path: "/api/intel/blacklists/status",
    summary: "List blacklist status",
    description:
      "Lists the status of addresses and domains at each blacklist, as of the last check. The request itself queries no blacklist. If no domain of the workspace has the given `ip` or `domain`, the response is 404, because an empty list would suggest that it is clean.",
    query: pageQuery.extend({ ...workspaceQuery, ...blacklistFilter }),
    ...reading({
      access: "intel.read",
      faults: [...listFaults, "subject.not_monitored"],
      success: {
        200: page("BlacklistStatusList", listing, {
          summary: z.record(z.string(), z.int()).meta({
            description:
              "Number of entries by state, across all pages. The `state` parameter does not affect it.",
            examples: [{ listed: 1, clean: 40 }],
          }),
        }),
      },
    }),
  },
  listBlacklists: {
    method: "GET",
    path: "/api/intel/blacklists",
    summary: "List blacklists and their health",
    description:
      "Lists the blacklists that Hermod knows: whether each is used, the result of its last self-test, and how much of its budget is spent. The answer is the same for all accounts.",
    ...reading({ access: "intel.read", success: { 200: blacklistHealths } }),
  },
  listDmarcSources: {
    method: "GET",
    path: "/api/intel/dmarc/sources",
    summary: "List the sources of DMARC reports",
    description:
      "Sums the DMARC reports about a domain, or the domains of a client or workspace, by source and by day, most messages first. With `result`, only sources with such messages are listed, ordered by their number; all sums still cover all messages. The range has at most 92 days. A range with more than 250,000 rows of reports is refused: choose a shorter one, a client or a domain.",
    query: pageQuery.extend({
      ...scopeQuery,
      from: moment(
        "Beginning of the range. Its whole day in UTC counts. Missing: seven days with today.",
        "2030-01-01T00:00:00Z",
      ).optional(),
      until: moment(
        "End of the range. Its whole day in UTC counts. Missing: now.",
        "2030-01-08T00:00:00Z",
      ).optional(),
      result: z
        .enum(["pass", "fail"])
        .optional()
        .meta({ description: "Only sources with messages that have this result of DMARC." }),
      known: z.enum(["true", "false"]).optional().meta({
        description:
          "`true`: only services that Hermod knows; `false`: only other sources. The sums cover the same sources.",
      }),
    }),
    ...reading({
      access: "intel.read",
      faults: [...listFaults, "service.busy"],
      success: { 200: page("DmarcSourceList", dmarcSource, dmarcTotals) },
    }),
  },
  listMutes: {
    method: "GET",
    path: "/api/intel/mutes",
    summary: "List mutes",
    description:
      "Lists the mutes of a workspace, client or domain that have not ended, earliest end first. `DELETE /api/intel/domains/{domain_id}/mutes/{check_id}` ends one.",
    query: pageQuery.extend(scopeQuery),
    ...reading({
      access: "intel.read",
      faults: listFaults,
      success: { 200: page("MuteList", mute) },
    }),
  },
});
