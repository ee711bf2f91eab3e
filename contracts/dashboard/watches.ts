import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { newReport, reportInbox, takenReports } from "../common/aggregate-report-schemas.ts";
import { domainFilter } from "../common/intel-filters.ts";
import {
  clientId,
  domainFields,
  domainId,
  newWatchedDomain,
  watchedDomain,
} from "../common/intel-schemas.ts";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision, ifRevisionQuery } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { watchChange, watchOffer } from "../common/watch-changes.ts";
import { newWatchImport, watchBulk, watchBulkCount, watchImportPreview } from "../common/watch-import.ts";
import { moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";
import { workspaceQuery } from "./workspaces.ts";

const c = initContract();

const { checks, history } = watchedDomain.shape;

/** A single domain with all details, unlike in a list. */
export const watchedDomainDetails = watchedDomain
  .extend({
    checks: checks.unwrap().meta({ description: "All checks, in the order of the catalog." }),
    history: history.unwrap().meta({ description: "The last 400 changes of the score, oldest first." }),
  })
  .meta({
    id: "WatchedDomainDetails",
    description: "A watched domain with its checks and history.",
  });

const checkId = text("Id of the check. The documentation has the catalog.", "auth.dmarc.policy");

const domainParams = z.object({ domain_id: text("Id of the domain.") });
const muteParams = domainParams.extend({ check_id: checkId });

export const watches = c.router({
  listWatchedDomains: {
    method: "GET",
    path: "/api/intel/domains",
    summary: "List watched domains",
    description: "Lists the watched domains of one workspace that match all filters.",
    query: pageQuery.extend({ ...workspaceQuery, ...domainFilter }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("WatchedDomainList", watchedDomain) },
    }),
  },
  addWatchedDomain: {
    method: "POST",
    path: "/api/intel/domains",
    summary: "Watch a domain",
    description:
      "Watches a domain in the workspace of its client. A workspace watches a domain only once, for one client. The domain is checked at once, and then regularly.",
    body: newWatchedDomain,
    ...changing({
      access: "intel.write",
      faults: ["client.unknown", "client.archived", "domain.duplicate", "watched_domain.too_many"],
      success: { 201: watchedDomainDetails },
    }),
  },
  importWatchedDomains: {
    method: "POST",
    path: "/api/intel/domains/import",
    summary: "Import domains and clients",
    description:
      "Imports CSV in two steps. Without `confirmation`, the response has the expected result of each row, and nothing is changed. With it, a job starts that adds the domains and creates missing clients, with a result for each row. A client is found by `client_ref`, then by its name. Rows with a domain of the same client are skipped, so a file can be imported again. The same confirmation starts one job only.",
    body: newWatchImport,
    ...changing({
      access: "intel.write",
      faults: ["workspace.unknown", "watched_domain.confirmation_invalid", "job.too_many"],
      success: { 200: watchImportPreview, 202: job },
    }),
  },
  changeWatchedDomains: {
    method: "POST",
    path: "/api/intel/domains/bulk",
    summary: "Change many watched domains",
    description:
      "Applies an action to many domains in two steps. Without `confirmation`, the response has the number of domains, and nothing is changed. With it, a job starts, with a result for each domain. Domains that were added since the count are not included. The same confirmation starts one job only. `remove` needs a sign-in factor presented within the last ten minutes, and leaves a domain that a report schedule uses.",
    body: watchBulk,
    ...changing({
      access: "intel.write",
      faults: [
        "workspace.unknown",
        "client.unknown",
        "client.archived",
        "watched_domain.confirmation_invalid",
        "job.too_many",
        "auth.reauthentication_required",
      ],
      success: { 200: watchBulkCount, 202: job },
    }),
  },
  getWatchedDomain: {
    method: "GET",
    path: "/api/intel/domains/:domain_id",
    pathParams: domainParams,
    summary: "Get a watched domain",
    description:
      "Returns a watched domain with its history and its checks, including their evidence and remedies.",
    ...reading({
      access: "intel.read",
      faults: ["watched_domain.unknown"],
      success: { 200: watchedDomainDetails },
    }),
  },
  updateWatchedDomain: {
    method: "PUT",
    path: "/api/intel/domains/:domain_id",
    pathParams: domainParams,
    summary: "Change, pause or resume a watched domain",
    description:
      "Replaces the settings of a watched domain as a whole. The name stays. The client stays unless another client of the same workspace is given, and tags and notes stay unless they are given. The domain is checked at once.",
    body: z
      .strictObject({
        client_id: clientId.optional(),
        role: domainFields.role,
        dkim_selectors: domainFields.dkim_selectors,
        sending_ips: domainFields.sending_ips,
        paused: domainFields.paused,
        tags: domainFields.tags.optional(),
        notes: domainFields.notes.optional(),
        if_revision: ifRevision,
      })
      .meta({ id: "WatchedDomainReplacement", description: "Complete settings of a watched domain." }),
    ...changing({
      access: "intel.write",
      faults: ["watched_domain.unknown", "client.unknown", "client.archived", "resource.stale"],
      success: { 200: watchedDomainDetails },
    }),
  },
  removeWatchedDomain: {
    method: "DELETE",
    path: "/api/intel/domains/:domain_id",
    pathParams: domainParams,
    summary: "Stop watching a domain",
    description:
      "Stops watching a domain and removes all its data. To keep the data, pause the domain instead.",
    query: removalQuery.extend({ if_revision: ifRevision }),
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: [
        "watched_domain.unknown",
        "resource.stale",
        "resource.in_use",
        "auth.reauthentication_required",
      ],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
  checkWatchedDomain: {
    method: "POST",
    path: "/api/intel/domains/:domain_id/check",
    pathParams: domainParams,
    summary: "Check a watched domain now",
    description:
      "Checks a domain and responds when the check is complete. After ten seconds, the check continues in the background, and the response has the previous state, as `checked_at` shows. The result applies at once, without a confirmation check. A domain can be checked once in 30 seconds.",
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["watched_domain.unknown", "watched_domain.check_too_soon"],
      success: { 200: watchedDomainDetails },
    }),
  },
  muteCheck: {
    method: "PUT",
    path: "/api/intel/domains/:domain_id/mutes/:check_id",
    pathParams: muteParams,
    summary: "Mute a check of a domain",
    description:
      "Mutes a check until a given time. Its result is shown but is not a finding: it does not change the status and sends no notification. The score does not change. `if_revision` is the revision of the domain.",
    body: z
      .strictObject({
        until: moment("End of the mute, in the future and at most one year ahead.", "2030-01-02T09:00:00Z"),
        reason: text(
          "Reason of the mute, up to 500 characters. `GET /api/intel/mutes` shows it with the author.",
          "The provider moves the servers in March.",
        ).optional(),
        if_revision: ifRevision,
      })
      .meta({ id: "Mute", description: "Duration of the mute." }),
    ...changing({
      access: "intel.write",
      faults: ["watched_domain.unknown", "resource.stale"],
      success: { 200: watchedDomainDetails },
    }),
  },
  unmuteCheck: {
    method: "DELETE",
    path: "/api/intel/domains/:domain_id/mutes/:check_id",
    pathParams: muteParams,
    summary: "Unmute a check of a domain",
    description:
      "Ends the mute of a check. Changes nothing if the check is not muted. `if_revision` is the revision of the domain.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["watched_domain.unknown", "resource.stale"],
      success: { 200: watchedDomainDetails },
    }),
  },
  uploadReport: {
    method: "POST",
    path: "/api/intel/domains/:domain_id/reports",
    pathParams: domainParams,
    summary: "Upload aggregate reports",
    description:
      "Counts the aggregate reports of a file: DMARC (RFC 9990, RFC 7489) and TLS (RFC 8460), up to about 6 MB. A report about another domain is refused and recorded. A report that is uploaded again is not counted twice.",
    body: newReport,
    ...changing({
      access: "intel.write",
      faults: ["watched_domain.unknown", "service.busy", "rate.limited"],
      success: { 200: takenReports },
    }),
  },
  getReportInbox: {
    method: "GET",
    path: "/api/intel/domains/:domain_id/reports",
    pathParams: domainParams,
    summary: "Get the state of aggregate reports",
    description:
      "Returns the address for aggregate reports, the number of received reports, and the reports that are not counted, with the reason.",
    ...reading({
      access: "intel.read",
      faults: ["watched_domain.unknown"],
      success: { 200: reportInbox },
    }),
  },
  listWatchOffers: {
    method: "GET",
    path: "/api/intel/offers",
    summary: "List sending domains that are not watched",
    description:
      "Lists, by name, the sending domains of the account that a workspace does not watch. `POST /api/intel/domains` watches one. Its DKIM keys are already known.",
    query: pageQuery.extend(workspaceQuery),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("WatchOfferList", watchOffer) },
    }),
  },
  listWatchChanges: {
    method: "GET",
    path: "/api/intel/changes",
    summary: "List changes",
    description:
      "Lists changes of the domains of one workspace or client, newest first. With `kind`, a page reads up to 5,000 changes: it may have fewer than `limit`, or none, and still a `next_cursor`.",
    query: pageQuery.extend({
      workspace_id: workspaceQuery.workspace_id.meta({
        description:
          "Id of the workspace. Missing: that of the client, or the first workspace of the account.",
      }),
      client_id: clientId.optional().meta({ description: "Only changes of domains of this client." }),
      domain_id: domainId.optional().meta({ description: "Only changes of this domain." }),
      kind: z
        .preprocess(
          (given) => (given === undefined || Array.isArray(given) ? given : [given]),
          z.array(
            z.enum([
              "watched_domain.status_changed",
              "finding.opened",
              "finding.resolved",
              "blacklist.listed",
              "blacklist.delisted",
            ]),
          ),
        )
        .optional()
        .meta({ description: "Only changes of this kind. Repeat the parameter for several kinds." }),
      from: moment("Only changes at this time or later.", "2030-01-01T00:00:00Z").optional(),
      until: moment("Only changes before this time.", "2030-01-08T00:00:00Z").optional(),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "client.unknown", "cursor.invalid"],
      success: { 200: page("WatchChangeList", watchChange) },
    }),
  },
});
