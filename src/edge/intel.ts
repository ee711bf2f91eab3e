import { createHash } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { reportRequest } from "../../contracts/common/intel-report-request.ts";
import type {
  client,
  listing,
  newClient,
  newWatchedDomain,
  watchedDomain,
  workspace,
} from "../../contracts/common/intel-schemas.ts";
import type { RateLimit } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { BlacklistStatusSchema } from "../../gen/hermod/intel/v1/intel_service_pb.ts";
import { WatchedDomainSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { ClientSchema, WorkspaceSchema } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import type { CoreClient } from "../rpc/client.ts";
import { Fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { Admission } from "./admit.ts";
import { inRequestNames, momentOf, pageRequest } from "./dashboard/call.ts";
import { headerValues } from "./header-values.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { nullBodyOf } from "./intel-body.ts";
import { type HeaderSink, setRateLimitHeaders } from "./problem-reply.ts";

type Client = z.output<typeof client>;
type Domain = z.output<typeof watchedDomain>;
type Request = Pick<FastifyRequest, "id" | "raw" | "caller" | "held">;
type Asked<Field extends string> = { readonly [F in Field]?: string | undefined };
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
type ClientQuery = PageQuery & Asked<"search" | "status" | "tag" | "external_ref">;
type DomainField = "id" | "name" | "client_id" | "status" | "role" | "grade" | "finding" | "search" | "sort";
type DomainQuery = PageQuery & Asked<DomainField> & { readonly include?: readonly string[] | undefined };
type StatusField = "ip" | "domain" | "domain_id" | "client_id" | "list" | "state";
type StatusQuery = PageQuery & Asked<StatusField>;

export interface IntelAreaParts {
  readonly core: Pick<CoreClient, "intel">;
  readonly holding: Admission<unknown>["holding"];
}

/** What answers the routes of `api.intel`. */
export function intel({ core, holding }: IntelAreaParts) {
  return {
    listWorkspaces: async ({ request, reply, query }: Call) => {
      const found = await core.intel.listWorkspaces({ holder: holderOf(request, query) });
      const all = found.workspaces.map((one) => nullBodyOf<z.output<typeof workspace>>(WorkspaceSchema, one));
      return listed({ request, reply }, pageOf(all, ""), found.rateLimits);
    },

    listClients: async ({ request, reply, query }: Call<ClientQuery>) => {
      const { search, status, tag, external_ref: externalRef } = query;
      const found = await asked(
        core.intel.listClients({
          ...{ holder: holderOf(request, query), ...pageRequest(query) },
          filter: withoutUndefined({ search, status, tag, externalRef }),
        }),
      );
      const all = found.clients.map((one) => nullBodyOf<Client>(ClientSchema, one));
      return listed({ request, reply }, pageOf(all, found.nextPageToken), found.rateLimits);
    },

    createClient: holding(
      async ({ request, reply, query, body }: Call & { readonly body: z.output<typeof newClient> }) => {
        const { external_ref: externalRef, contact_emails: contactEmails, ...rest } = body;
        const created = await asked(
          core.intel.createClient({
            ...{ holder: holderOf(request, query), idempotencyKey: idempotencyKeyOf(request) },
            settings: withoutUndefined({ ...rest, externalRef, contactEmails }),
          }),
        );
        answered(reply, created);
        return { status: 201, body: nullBodyOf<Client>(ClientSchema, created.client) } as const;
      },
    ),

    listDomains: async ({ request, reply, query }: Call<DomainQuery>) => {
      const { id, name, client_id: clientId, status, role, grade, finding, search, sort, include } = query;
      const found = await asked(
        core.intel.listDomains({
          ...{ holder: holderOf(request, query), ...pageRequest(query) },
          filter: withoutUndefined({ id, name, clientId, status, role, grade, finding, search }),
          ...{ sort: sort ?? "", include: [...(include ?? [])] },
        }),
      );
      const all = found.domains.map((one) => domainBody(one, include));
      return listed({ request, reply }, pageOf(all, found.nextPageToken), found.rateLimits);
    },

    addDomain: holding(
      async ({
        request,
        reply,
        query,
        body,
      }: Call & { readonly body: z.output<typeof newWatchedDomain> }) => {
        const { client_id: clientId, name, role, dkim_selectors, sending_ips, paused } = body;
        const settings = { role, dkimSelectors: dkim_selectors, sendingIps: sending_ips, paused };
        const added = await asked(
          core.intel.addDomain({
            ...{ holder: holderOf(request, query), idempotencyKey: idempotencyKeyOf(request) },
            ...{ clientId, name, settings: withoutUndefined(settings) },
          }),
        );
        answered(reply, added);
        return { status: 201, body: domainBody(added.domain, undefined) } as const;
      },
    ),

    listBlacklistStatus: async ({ request, reply, query }: Call<StatusQuery>) => {
      const { ip, domain, domain_id: domainId, client_id: clientId, list, state } = query;
      const found = await asked(
        core.intel.listBlacklistStatus({
          ...{ holder: holderOf(request, query), ...pageRequest(query) },
          filter: withoutUndefined({ ip, domain, domainId, clientId, list, state }),
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
        const { scope, period, format, sections, locale, timezone, branding, paper } = body;
        const from = momentOf(period?.from, "/period/from");
        const to = momentOf(period?.to, "/period/to");
        const report = await asked(
          core.intel.generateReport({
            ...{ holder: holderOf(request, query), idempotencyKey: idempotencyKeyOf(request) },
            scope: { type: scope.type, id: scope.id ?? "" },
            ...(from && { from: timestampFromDate(from) }),
            ...(to && { to: timestampFromDate(to) }),
            ...withoutUndefined({ format, sections, locale, timezone, paper }),
            ...(branding && { branding: { name: branding.name ?? "", color: branding.color ?? "" } }),
          }),
        );
        answered(reply, report);
        reply.header("x-report-id", report.id);
        reply.header("content-type", report.mediaType);
        reply.header("content-disposition", `attachment; filename="${report.fileName}"`);
        // As octets: the same report is the same bytes, whenever it is asked for.
        return { status: 201, body: Buffer.from(report.content) } as const;
      },
    ),
  };
}

function holderOf({ caller }: Request, { workspace_id: workspaceId = "" }: PageQuery) {
  return { apiKey: caller?.apiKey ?? "", clientAddress: caller?.clientAddress ?? "", workspaceId };
}

/** Faults name what the request has named. */
async function asked<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (refused) {
    throw inRequestNames(Fault.from(refused), true);
  }
}

function answered(
  reply: HeaderSink,
  { replayed, rateLimits }: { readonly replayed: boolean; readonly rateLimits: readonly RateLimit[] },
): void {
  if (replayed) reply.header("idempotent-replayed", "true");
  showRateLimits(reply, rateLimits);
}

function showRateLimits(reply: HeaderSink, limits: readonly RateLimit[]): void {
  setRateLimitHeaders(
    reply,
    limits.map((limit) => ({ ...limit, name: limit.name as "key" })),
  );
}

function pageOf<Entry>(data: Entry[], nextPageToken: string) {
  return { data, has_more: nextPageToken !== "", next_cursor: nextPageToken === "" ? null : nextPageToken };
}

/** Checks and history are there where they were asked for, and nowhere else. */
function domainBody(
  domain: Parameters<typeof nullBodyOf>[1],
  include: readonly string[] | undefined,
): Domain {
  const { checks, history, ...body } = nullBodyOf<Domain>(WatchedDomainSchema, domain);
  return {
    ...body,
    ...(include?.includes("checks") && { checks: checks ?? [] }),
    ...(include?.includes("history") && { history: history ?? [] }),
  };
}

/** A list with its entity tag (RFC 9110 section 8.8.3): whoever has it already gets 304. */
function listed<Body extends object>(
  { request, reply }: Pick<Call, "request" | "reply">,
  body: Body,
  limits: readonly RateLimit[],
) {
  showRateLimits(reply, limits);
  const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 27)}"`;
  reply.header("etag", etag);
  reply.header("cache-control", "private, no-cache");
  const known = headerValues(request.raw.rawHeaders, "if-none-match")
    .flatMap((value) => value.split(","))
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return { status: 304, body: undefined } as const;
  return { status: 200, body } as const;
}
