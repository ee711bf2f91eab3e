import { createHash } from "node:crypto";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { reportRequest } from "../../contracts/common/intel-report-request.ts";
import type {
  client,
  listing,
  newClient,
  newWatchedDomain,
  workspace,
} from "../../contracts/common/intel-schemas.ts";
import type { RateLimit } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { BlacklistStatusSchema, type GetReportResponse } from "../../gen/hermod/intel/v1/intel_service_pb.ts";
import { ClientSchema, WorkspaceSchema } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import type { CoreClient } from "../rpc/client.ts";
import type { Admission } from "./admit.ts";
import { pageRequest } from "./dashboard/call.ts";
import { headerValues } from "./header-values.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { domainBody, nullBodyOf } from "./intel-body.ts";
import {
  askedByQuery,
  type BlacklistFilterQuery,
  blacklistFilterOf,
  type ClientFilterQuery,
  clientFilterOf,
  clientSettingsOf,
  type DomainFilterQuery,
  domainListOf,
  reportOrderOf,
  watchSettingsOf,
} from "./intel-requests.ts";
import { type HeaderSink, setRateLimitHeaders } from "./problem-reply.ts";

type Client = z.output<typeof client>;
type Request = Pick<FastifyRequest, "id" | "raw" | "caller" | "held">;
interface PageQuery {
  readonly workspace_id?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
interface Call<Query = PageQuery> {
  readonly request: Request;
  readonly reply: HeaderSink;
  readonly query: Query;
}
type StatusQuery = PageQuery & BlacklistFilterQuery;

export interface IntelAreaParts {
  readonly core: Pick<CoreClient, "intel">;
  readonly holding: Admission<unknown>["holding"];
}

/** Handlers of the routes of `api.intel`. */
export function intel({ core, holding }: IntelAreaParts) {
  return {
    listWorkspaces: async ({ request, reply, query }: Call) => {
      const found = await core.intel.listWorkspaces({ holder: holderOf(request, query) });
      const all = found.workspaces.map((one) => nullBodyOf<z.output<typeof workspace>>(WorkspaceSchema, one));
      return listed({ request, reply }, pageOf(all, ""), found.rateLimits);
    },

    listClients: async ({ request, reply, query }: Call<PageQuery & ClientFilterQuery>) => {
      const found = await askedByQuery(
        core.intel.listClients({
          holder: holderOf(request, query),
          ...pageRequest(query),
          filter: clientFilterOf(query),
        }),
      );
      const all = found.clients.map((one) => nullBodyOf<Client>(ClientSchema, one));
      return listed({ request, reply }, pageOf(all, found.nextPageToken), found.rateLimits);
    },

    createClient: holding(
      async ({ request, reply, query, body }: Call & { readonly body: z.output<typeof newClient> }) => {
        const created = await askedByQuery(
          core.intel.createClient({
            holder: holderOf(request, query),
            idempotencyKey: idempotencyKeyOf(request),
            settings: clientSettingsOf(body),
          }),
        );
        answered(reply, created);
        return { status: 201, body: nullBodyOf<Client>(ClientSchema, created.client) } as const;
      },
    ),

    listDomains: async ({ request, reply, query }: Call<PageQuery & DomainFilterQuery>) => {
      const found = await askedByQuery(
        core.intel.listDomains({
          holder: holderOf(request, query),
          ...pageRequest(query),
          ...domainListOf(query),
        }),
      );
      const all = found.domains.map((one) => domainBody(one, query.include));
      return listed({ request, reply }, pageOf(all, found.nextPageToken), found.rateLimits);
    },

    addDomain: holding(
      async ({
        request,
        reply,
        query,
        body,
      }: Call & { readonly body: z.output<typeof newWatchedDomain> }) => {
        const { client_id: clientId, name, ...settings } = body;
        const added = await askedByQuery(
          core.intel.addDomain({
            holder: holderOf(request, query),
            idempotencyKey: idempotencyKeyOf(request),
            clientId,
            name,
            settings: watchSettingsOf(settings),
          }),
        );
        answered(reply, added);
        return { status: 201, body: domainBody(added.domain, undefined) } as const;
      },
    ),

    listBlacklistStatus: async ({ request, reply, query }: Call<StatusQuery>) => {
      const found = await askedByQuery(
        core.intel.listBlacklistStatus({
          holder: holderOf(request, query),
          ...pageRequest(query),
          filter: blacklistFilterOf(query),
        }),
      );
      const all = found.statuses.map((one) =>
        nullBodyOf<z.output<typeof listing>>(BlacklistStatusSchema, one),
      );
      const body = { ...pageOf(all, found.nextPageToken), summary: { ...found.summary } };
      return listed({ request, reply }, body, found.rateLimits);
    },

    generateReport: holding(
      async ({ request, reply, query, body }: Call & { readonly body: z.output<typeof reportRequest> }) => {
        const report = await askedByQuery(
          core.intel.generateReport({
            holder: holderOf(request, query),
            idempotencyKey: idempotencyKeyOf(request),
            ...reportOrderOf(body),
          }),
        );
        answered(reply, report);
        return reportAnswer(reply, report) ?? ({ status: 201, body: Buffer.from(report.content) } as const);
      },
    ),

    getReport: async ({
      request,
      reply,
      query,
      params,
    }: Call & { readonly params: { readonly report_id: string } }) => {
      const report = await core.intel.getReport({ holder: holderOf(request, query), id: params.report_id });
      setRateLimitHeaders(reply, report.rateLimits);
      return reportAnswer(reply, report) ?? ({ status: 200, body: Buffer.from(report.content) } as const);
    },
  };
}

/** Headers of a report. @returns the answer while it is not ready; undefined: its content is the body, as octets, the same bytes each time */
function reportAnswer(reply: HeaderSink, report: Omit<GetReportResponse, "$typeName">) {
  const { id, progress, mediaType, fileName } = report;
  reply.header("x-report-id", id);
  if (!progress) {
    reply.header("content-type", mediaType);
    reply.header("content-disposition", `attachment; filename="${fileName}"`);
    return undefined;
  }
  const url = `/api/deliverability/v1/reports/${id}`;
  reply.header("location", url);
  reply.header("retry-after", "2");
  const { state, done, total, createdAt } = progress;
  const created_at = (createdAt ? timestampDate(createdAt) : new Date(0)).toISOString();
  return { status: 202, body: { id, state, progress: { done, total }, created_at, url } } as const;
}

function holderOf({ caller }: Request, { workspace_id: workspaceId = "" }: PageQuery) {
  return { apiKey: caller?.apiKey ?? "", clientAddress: caller?.clientAddress ?? "", workspaceId };
}

function answered(
  reply: HeaderSink,
  { replayed, rateLimits }: { readonly replayed: boolean; readonly rateLimits: readonly RateLimit[] },
): void {
  if (replayed) reply.header("idempotent-replayed", "true");
  setRateLimitHeaders(reply, rateLimits);
}

function pageOf<Entry>(data: Entry[], nextPageToken: string) {
  return { data, has_more: nextPageToken !== "", next_cursor: nextPageToken === "" ? null : nextPageToken };
}

/** A list with its entity tag (RFC 9110 section 8.8.3). A client with the same tag gets 304. */
function listed<Body extends object>(
  { request, reply }: Pick<Call, "request" | "reply">,
  body: Body,
  limits: readonly RateLimit[],
) {
  setRateLimitHeaders(reply, limits);
  const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27)}"`;
  reply.header("etag", etag);
  reply.header("cache-control", "private, no-cache");
  const known = headerValues(request.raw.rawHeaders, "if-none-match")
    .flatMap((value) => value.split(","))
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return { status: 304, body: undefined } as const;
  return { status: 200, body } as const;
}
