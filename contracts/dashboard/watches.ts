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
import { moment, page, pageQuery } from "./common.ts";
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

export const watchChange = z
  .object({
    id: text("Id of the change.", "wch_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("Time of the change."),
    kind: text(
      "`watched_domain.status_changed`, `finding.opened`, `finding.resolved`, `blacklist.listed` or `blacklist.delisted`.",
      "finding.opened",
    ),
    domain_id: domainId,
    domain: text("Domain in A-labels.", "example.com"),
    check_id: checkId
      .nullable()
      .meta({ description: "Id of the check. `null` if the change is about the whole domain." }),
    severity: text("`critical`, `warning` or `info`. `null` if there is none.", "warning").nullable(),
    from: text("Previous status. `null` if the change is not about the status.", "healthy").nullable(),
    to: text("New status. `null` if the change is not about the status.", "warning").nullable(),
    text: text("The change in a sentence."),
  })
  .meta({ id: "WatchChange", description: "A change of a watched domain." });

export const watchOffer = z
  .object({
    name: text("Domain in A-labels.", "xn--bcher-kva.example"),
    name_unicode: text("Domain in Unicode.", "bücher.example"),
    status: text("Status of the sending domain, as in `GET /api/domains`.", "verified"),
  })
  .meta({ id: "WatchOffer", description: "A sending domain of the account that is not watched yet." });

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
      "Replaces the settings of a watched domain as a whole. The name stays. The client stays unless another client of the same workspace is given. The domain is checked at once.",
    body: z
      .strictObject({
        client_id: clientId.optional(),
        role: domainFields.role,
        dkim_selectors: domainFields.dkim_selectors,
        sending_ips: domainFields.sending_ips,
        paused: domainFields.paused,
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
    description: "Lists changes of the domains of one workspace, newest first.",
    query: pageQuery.extend({
      ...workspaceQuery,
      domain_id: domainId.optional().meta({ description: "Only changes of this domain." }),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("WatchChangeList", watchChange) },
    }),
  },
});
