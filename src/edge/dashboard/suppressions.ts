import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { suppressionCounts } from "../../../contracts/common/suppression-filter.ts";
import type { importReport } from "../../../contracts/common/suppression-import.ts";
import type { job } from "../../../contracts/dashboard/jobs.ts";
import type {
  addedSuppression,
  addressResult,
  suppressions as contract,
  removalCount,
  removedSuppression,
  suppression,
} from "../../../contracts/dashboard/suppressions.ts";
import { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import {
  AddressResultSchema,
  AddSuppressionResponseSchema,
  CountSuppressionRemovalResponseSchema,
  CountSuppressionsResponseSchema,
  ImportSuppressionsResponseSchema,
  RemoveSuppressionResponseSchema,
  SuppressionSchema,
} from "../../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";
import { CSV, fileDownload } from "./file-download.ts";

type Suppression = z.output<typeof suppression>;
type Counts = z.output<typeof suppressionCounts>;
type RemovalCount = z.output<typeof removalCount>;
type Job = z.output<typeof job>;
type AddressResult = z.output<typeof addressResult>;

interface FilterQuery {
  readonly address?: string | undefined;
  readonly domain?: string | undefined;
  readonly reason?: string | undefined;
  readonly policy?: string | undefined;
  readonly scope?: string | undefined;
  readonly message_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Handlers of the routes of `dashboard.suppressions`. */
export function suppressions(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listSuppressions: async ({ request, query }) => {
      const asked = { ...pageRequest(query), ...filterOf(query) };
      const found = await coreFor(request).suppressions.listSuppressions(asked);
      const data = found.suppressions.map((one) => bodyOf<Suppression>(SuppressionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    exportSuppressions: async ({ request, reply, query }) => {
      const parts = coreFor(request).suppressions.exportSuppressions(filterOf(query));
      return fileDownload(reply, { name: "suppressions.csv", mediaType: CSV }, parts);
    },
    countSuppressions: async ({ request, query }) => {
      const counted = await coreFor(request).suppressions.countSuppressions({ filter: filterOf(query) });
      return { status: 200, body: bodyOf<Counts>(CountSuppressionsResponseSchema, counted) };
    },
    getSuppression: async ({ request, params }) => {
      const found = await coreFor(request).suppressions.getSuppression({ id: params.suppression_id });
      return { status: 200, body: bodyOf<Suppression>(SuppressionSchema, found.suppression) };
    },
    addSuppression: async ({ request, body }) => {
      const added = await coreFor(request).suppressions.addSuppression({
        address: body.address,
        ...termsOf(body),
      });
      const answer = bodyOf<z.output<typeof addedSuppression>>(AddSuppressionResponseSchema, added);
      return { status: 200, body: answer };
    },
    addSuppressions: async ({ request, body }) => {
      const { addresses } = body;
      const asked = { addresses, ...termsOf(body) };
      const { results, alertRules, alertRulesCount } =
        await coreFor(request).suppressions.addSuppressions(asked);
      const concerned = { alert_rules: alertRules, alert_rules_count: alertRulesCount };
      return { status: 200, body: { results: results.map(resultBody), ...concerned } };
    },
    removeSuppressions: async ({ request, body }) => {
      const { addresses, policy = "" } = body;
      const { results } = await coreFor(request).suppressions.removeSuppressions({ addresses, policy });
      return { status: 200, body: { results: results.map(resultBody) } };
    },
    removeMatchingSuppressions: async ({ request, body: { filter: given, confirmation } }) => {
      const { suppressions: core } = coreFor(request);
      const filter = filterOf(given, "/filter");
      if (confirmation === undefined) {
        const counted = await core.countSuppressionRemoval({ filter });
        return { status: 200, body: bodyOf<RemovalCount>(CountSuppressionRemovalResponseSchema, counted) };
      }
      const begun = await core.beginSuppressionRemoval({ filter, confirmation });
      return { status: 202, body: bodyOf<Job>(JobSchema, begun.job) };
    },
    importSuppressions: async ({ request, body }) => {
      const { csv, preview = false, reason = "", policy = "" } = body;
      const asked = { csv, preview, reason, policy };
      const report = await coreFor(request).suppressions.importSuppressions(asked);
      const answer = bodyOf<z.output<typeof importReport>>(ImportSuppressionsResponseSchema, report);
      return { status: 200, body: answer };
    },
    removeSuppression: async ({ request, params }) => {
      const removed = await coreFor(request).suppressions.removeSuppression({ id: params.suppression_id });
      const answer = bodyOf<z.output<typeof removedSuppression>>(RemoveSuppressionResponseSchema, removed);
      return { status: 200, body: answer };
    },
  };
}

const resultBody = (result: Parameters<typeof bodyOf>[1]) =>
  bodyOf<AddressResult>(AddressResultSchema, result);

/** @throws Fault request.validation_failed */
function filterOf({ scope, message_id: messageId, from, until, ...query }: FilterQuery, at = "") {
  const times = { from: momentOf(from, `${at}/from`), until: momentOf(until, `${at}/until`) };
  return {
    ...withoutUndefined({ ...query, messageId }),
    accountWide: scope === "account",
    ...(times.from && { from: timestampFromDate(times.from) }),
    ...(times.until && { until: timestampFromDate(times.until) }),
  };
}

interface Terms {
  readonly reason?: string | undefined;
  readonly policy?: string | undefined;
  readonly detail?: string | undefined;
  readonly expire_at?: string | undefined;
}

/** @throws Fault request.validation_failed */
function termsOf({ reason, policy, detail, expire_at }: Terms) {
  const expireAt = momentOf(expire_at, "/expire_at");
  return {
    ...withoutUndefined({ reason, policy, detail }),
    ...(expireAt && { expireAt: timestampFromDate(expireAt) }),
  };
}
