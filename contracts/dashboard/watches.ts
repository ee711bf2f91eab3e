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

/** A domain alone, in place of one of a list. */
export const watchedDomainDetails = watchedDomain
  .extend({
    checks: checks.unwrap().meta({ description: "Every check, in the order of the catalogue." }),
    history: history.unwrap().meta({ description: "The last 400 changes of the score, the earliest first." }),
  })
  .meta({
    id: "WatchedDomainDetails",
    description: "A domain that is watched, with its checks and history.",
  });

const checkId = text("Names a check: see the catalogue in the documentation.", "auth.dmarc.policy");

export const watchChange = z
  .object({
    id: text("Names it.", "wch_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("When."),
    kind: text(
      "`watched_domain.status_changed`, `finding.opened`, `finding.resolved`, `blacklist.listed` or `blacklist.delisted`.",
      "finding.opened",
    ),
    domain_id: domainId,
    domain: text("In A-labels.", "example.com"),
    check_id: checkId.nullable().meta({ description: "The check; null: it is about the domain as a whole." }),
    severity: text("`critical`, `warning` or `info`; null: it has none.", "warning").nullable(),
    from: text("The status before; null: it is about no status.", "healthy").nullable(),
    to: text("The status from then on; null: it is about no status.", "warning").nullable(),
    text: text("The same in a sentence."),
  })
  .meta({ id: "WatchChange", description: "What has changed about a watched domain." });

export const watchOffer = z
  .object({
    name: text("In A-labels.", "xn--bcher-kva.example"),
    name_unicode: text("The same for people to read.", "bücher.example"),
    status: text("How it stands as a sending domain: see `GET /api/domains`.", "verified"),
  })
  .meta({ id: "WatchOffer", description: "A sending domain of the account that could be watched." });

const domainParams = z.object({ domain_id: text("The domain's `id`.") });
const muteParams = domainParams.extend({ check_id: checkId });

export const watches = c.router({
  listWatchedDomains: {
    method: "GET",
    path: "/api/intel/domains",
    summary: "List watched domains",
    description: "Those of one workspace. What is given must all be met.",
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
      "In the workspace of its client, which watches a domain once, whoever its client is. It is checked at once, and again and again.",
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
    summary: "See a watched domain",
    description: "With its checks, their evidence and how to mend them, and with its history.",
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
      "As a whole, but that its name stays, and its client where no other one of the same workspace is given. It is checked at once.",
    body: z
      .strictObject({
        client_id: clientId.optional(),
        role: domainFields.role,
        dkim_selectors: domainFields.dkim_selectors,
        sending_ips: domainFields.sending_ips,
        paused: domainFields.paused,
        if_revision: ifRevision,
      })
      .meta({ id: "WatchedDomainReplacement", description: "What is to be said of it, as a whole." }),
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
    summary: "Watch a domain no longer",
    description: "All that is known of it goes with it. Pausing it keeps that.",
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
      "Answers when that is over. A check that takes more than ten seconds goes on, and the answer is what was known before: `checked_at` says so. What is seen holds at once, without a second look. Every 30 seconds at most.",
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
      "What it finds is shown, and is no finding until then: it neither changes the status nor is told to anybody. The score stays what it is. `if_revision` is that of the domain.",
    body: z
      .strictObject({
        until: moment("Ahead, within a year.", "2030-01-02T09:00:00Z"),
        if_revision: ifRevision,
      })
      .meta({ id: "Mute", description: "For how long." }),
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
    summary: "Mute a check no longer",
    description: "One that is not muted stays as it is. `if_revision` is that of the domain.",
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
    summary: "Count aggregate reports of a file",
    description:
      "Of DMARC (RFC 9990, RFC 7489) and of TLS (RFC 8460), up to about 6 MB. What is about another domain is refused and noted. Doing it again counts nothing twice.",
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
    summary: "See what has come of aggregate reports",
    description: "Where they are to be sent, how many have come, and what does not count, with the reason.",
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
      "Those of the account that a workspace does not watch, by name. `POST /api/intel/domains` watches one: which DKIM keys sign for it is known.",
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
    summary: "See what has changed",
    description: "About the domains of one workspace, the latest first.",
    query: pageQuery.extend({
      ...workspaceQuery,
      domain_id: domainId.optional().meta({ description: "Only what concerns this domain." }),
    }),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("WatchChangeList", watchChange) },
    }),
  },
});
