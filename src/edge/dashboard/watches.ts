import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { reportInbox, takenReport } from "../../../contracts/common/aggregate-report-schemas.ts";
import type { watchChange, watchOffer } from "../../../contracts/common/watch-changes.ts";
import type {
  watchBulk,
  watchBulkCount,
  watchImportPreview,
} from "../../../contracts/common/watch-import.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import type { watches as contract, watchedDomainDetails } from "../../../contracts/dashboard/watches.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import {
  CountWatchBulkResponseSchema,
  type WatchedDomain as Found,
  GetReportInboxResponseSchema,
  PreviewWatchImportResponseSchema,
  type TakenReport,
  TakenReportSchema,
  WatchChangeSchema,
  WatchedDomainSchema,
  WatchOfferSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { decodeBase64 } from "../../message/mime/attachments.ts";
import { validationFault } from "../../shared/fault.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { domainBody, nullBodyOf } from "../intel-body.ts";
import { domainListOf, watchSettingsOf } from "../intel-requests.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  momentOf,
  pageBody,
  pageRequest,
  removedAnswer,
  spanOf,
} from "./call.ts";

/** Handlers of the routes of `dashboard.watches`. */
export function watches(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listWatchedDomains: async ({ request, query }) => {
      const found = await coreFor(request).watches.listWatchedDomains({
        ...pageRequest(query),
        ...domainListOf(query),
        workspaceId: query.workspace_id ?? "",
      });
      const all = found.domains.map((one) => domainBody(one, query.include));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    addWatchedDomain: async ({ request, body }) => {
      const { client_id: clientId, name, ...settings } = body;
      const asked = { clientId, name, settings: watchSettingsOf(settings) };
      const added = await coreFor(request).watches.addWatchedDomain(asked);
      return { status: 201, body: detailsOf(added.domain) };
    },
    importWatchedDomains: async ({ request, body }) => {
      const { csv, confirmation, workspace_id: workspaceId = "" } = body;
      const { watches } = coreFor(request);
      if (confirmation === undefined) {
        const found = await watches.previewWatchImport({ csv, workspaceId });
        const preview = bodyOf<z.output<typeof watchImportPreview>>(PreviewWatchImportResponseSchema, found);
        return { status: 200, body: preview };
      }
      const begun = await watches.beginWatchImport({ csv, workspaceId, confirmation });
      return { status: 202, body: bodyOf<z.output<typeof job>>(JobSchema, begun.job) };
    },
    changeWatchedDomains: async ({ request, body }) => {
      const { confirmation } = body;
      const bulk = bulkOf(body);
      const { watches } = coreFor(request);
      if (confirmation === undefined) {
        const found = await watches.countWatchBulk({ bulk });
        const count = bodyOf<z.output<typeof watchBulkCount>>(CountWatchBulkResponseSchema, found);
        return { status: 200, body: count };
      }
      const asked = { bulk, confirmation };
      const begun = await (bulk.action === "remove"
        ? watches.beginWatchRemoval(asked)
        : watches.beginWatchBulk(asked));
      return { status: 202, body: bodyOf<z.output<typeof job>>(JobSchema, begun.job) };
    },
    getWatchedDomain: async ({ request, params }) => {
      const found = await coreFor(request).watches.getWatchedDomain({ id: params.domain_id });
      return { status: 200, body: detailsOf(found.domain) };
    },
    updateWatchedDomain: async ({ request, params, body }) => {
      const { client_id: clientId = "", if_revision: ifRevision = "", ...given } = body;
      const asked = { id: params.domain_id, clientId, settings: watchSettingsOf(given), ifRevision };
      const updated = await coreFor(request).watches.updateWatchedDomain(asked);
      return { status: 200, body: detailsOf(updated.domain) };
    },
    removeWatchedDomain: async ({ request, params, query }) => {
      const removed = await coreFor(request).watches.removeWatchedDomain({
        id: params.domain_id,
        force: isForced(query),
        ifRevision: query.if_revision ?? "",
      });
      return removedAnswer(removed);
    },
    checkWatchedDomain: async ({ request, params }) => {
      const checked = await coreFor(request).watches.checkWatchedDomain({ id: params.domain_id });
      return { status: 200, body: detailsOf(checked.domain) };
    },
    muteCheck: async ({ request, params, body }) => {
      const until = momentOf(body.until, "/until");
      const { if_revision: ifRevision = "", reason = "" } = body;
      const asked = { id: params.domain_id, checkId: params.check_id, reason, ifRevision };
      const muted = await coreFor(request).watches.muteCheck({
        ...asked,
        ...(until && { until: timestampFromDate(until) }),
      });
      return { status: 200, body: detailsOf(muted.domain) };
    },
    unmuteCheck: async ({ request, params, query }) => {
      const { if_revision: ifRevision = "" } = query;
      const asked = { id: params.domain_id, checkId: params.check_id, ifRevision };
      const reported = await coreFor(request).watches.muteCheck(asked);
      return { status: 200, body: detailsOf(reported.domain) };
    },
    uploadReport: async ({ request, params, body }) => {
      const content = contentOf(body.content);
      const { reports } = await coreFor(request).watches.uploadReport({ id: params.domain_id, content });
      return { status: 200, body: { reports: reports.map(reportBody) } };
    },
    getReportInbox: async ({ request, params }) => {
      const found = await coreFor(request).watches.getReportInbox({ id: params.domain_id });
      const body = nullBodyOf<z.output<typeof reportInbox>>(GetReportInboxResponseSchema, found);
      return { status: 200, body: { ...body, reports: found.reports.map(reportBody) } };
    },
    listWatchOffers: async ({ request, query }) => {
      const asked = { ...pageRequest(query), workspaceId: query.workspace_id ?? "" };
      const found = await coreFor(request).watches.listWatchOffers(asked);
      const all = found.offers.map((one) => bodyOf<z.output<typeof watchOffer>>(WatchOfferSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    listWatchChanges: async ({ request, query }) => {
      const { workspace_id: workspaceId = "", domain_id: domainId = "", client_id: clientId = "" } = query;
      const asked = {
        ...pageRequest(query),
        ...spanOf(query),
        workspaceId,
        domainId,
        clientId,
        kinds: query.kind ?? [],
      };
      const found = await coreFor(request).watches.listWatchChanges(asked);
      const all = found.changes.map((one) =>
        nullBodyOf<z.output<typeof watchChange>>(WatchChangeSchema, one),
      );
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
  };
}

/** @throws Fault request.validation_failed */
function bulkOf(body: z.output<typeof watchBulk>) {
  const { workspace_id: workspaceId, ids = [], filter, action, check_id: checkId, reason, notes } = body;
  const until = momentOf(body.until, "/until");
  const { client_id: ofClient, status, role, grade, finding, search, tag } = filter ?? {};
  return {
    ids: [...ids],
    tags: [...(body.tags ?? [])],
    action,
    filter: withoutUndefined({ clientId: ofClient, status, role, grade, finding, search, tag }),
    ...withoutUndefined({
      workspaceId,
      checkId,
      reason,
      notes,
      clientId: body.client_id,
      until: until && timestampFromDate(until),
    }),
  };
}

function detailsOf(found: Found | undefined): z.output<typeof watchedDomainDetails> {
  return nullBodyOf(WatchedDomainSchema, found);
}

/** @throws Fault request.validation_failed */
function contentOf(base64: string): Uint8Array {
  const decoded = decodeBase64(base64);
  if (decoded.ok) return decoded.content;
  throw validationFault([{ pointer: "/content", code: "field.invalid", message: decoded.message }]);
}

/** Counts of the core have 64 bits, which JSON of protobuf has as texts. */
function reportBody(report: TakenReport): z.output<typeof takenReport> {
  const body = nullBodyOf<z.output<typeof takenReport>>(TakenReportSchema, report);
  return { ...body, count: Number(report.count) };
}
