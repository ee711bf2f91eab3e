import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  blacklistHealth,
  dmarcSource,
  finding,
  findingDetails,
  scoreHistory,
} from "../../../contracts/common/insight-schemas.ts";
import type { listing } from "../../../contracts/common/intel-schemas.ts";
import type { insights as contract, mute } from "../../../contracts/dashboard/insights.ts";
import {
  BlacklistHealthSchema,
  type DmarcSource,
  type DmarcSums,
  FindingDetailsSchema,
  FindingSchema,
  GetScoreHistoryResponseSchema,
  MuteSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { BlacklistStatusSchema } from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { nullBodyOf } from "../intel-body.ts";
import { blacklistFilterOf } from "../intel-requests.ts";
import { createCoreFor, type DashboardParts, pageBody, pageRequest, spanOf } from "./call.ts";

interface ScopeQuery {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
}

/** Handlers of the routes of `dashboard.insights`. */
export function insights(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listFindings: async ({ request, query }) => {
      const found = await coreFor(request).insights.listFindings({ scope: scopeOf(query) });
      const data = found.findings.map((one) => nullBodyOf<z.output<typeof finding>>(FindingSchema, one));
      const { domainCount: domain_count, scoredCount: scored_count } = found;
      return { status: 200, body: { data, domain_count, scored_count } };
    },
    listFindingDomains: async ({ request, params, query }) => {
      const asked = { ...pageRequest(query), scope: scopeOf(query), checkId: params.check_id };
      const found = await coreFor(request).insights.listFindingDomains(asked);
      const all = found.domains.map((one) =>
        nullBodyOf<z.output<typeof findingDetails>>(FindingDetailsSchema, one),
      );
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getScoreHistory: async ({ request, query }) => {
      const asked = { ...spanOf(query), scope: scopeOf(query), step: query.step ?? "" };
      const found = await coreFor(request).insights.getScoreHistory(asked);
      const body = nullBodyOf<z.output<typeof scoreHistory>>(GetScoreHistoryResponseSchema, found);
      return { status: 200, body };
    },
    listBlacklistStatus: async ({ request, query }) => {
      const found = await coreFor(request).insights.listBlacklistStatus({
        ...pageRequest(query),
        workspaceId: query.workspace_id ?? "",
        filter: blacklistFilterOf(query),
      });
      const all = found.statuses.map((one) =>
        nullBodyOf<z.output<typeof listing>>(BlacklistStatusSchema, one),
      );
      return { status: 200, body: { ...pageBody(all, found.nextPageToken), summary: { ...found.summary } } };
    },
    listBlacklists: async ({ request }) => {
      const { lists } = await coreFor(request).insights.listBlacklists({});
      const data = lists.map((one) =>
        nullBodyOf<z.output<typeof blacklistHealth>>(BlacklistHealthSchema, one),
      );
      return { status: 200, body: { data } };
    },
    listDmarcSources: async ({ request, query }) => {
      const { known } = query;
      const found = await coreFor(request).insights.listDmarcSources({
        ...pageRequest(query),
        ...spanOf(query),
        scope: scopeOf(query),
        result: query.result ?? "",
        ...(known && { known: known === "true" }),
      });
      const days = found.days.map((day) => ({
        day: day.day,
        messages: Number(day.messages),
        passed: Number(day.passed),
        failed: Number(day.failed),
        known_messages: Number(day.knownMessages),
        known_failed: Number(day.knownFailed),
      }));
      const total = sumsBody(found.total);
      const body = pageBody(found.sources.map(sourceBody), found.nextPageToken);
      return { status: 200, body: { ...body, days, total, source_count: found.sourceCount } };
    },
    listMutes: async ({ request, query }) => {
      const asked = { ...pageRequest(query), scope: scopeOf(query) };
      const found = await coreFor(request).insights.listMutes(asked);
      const all = found.mutes.map((one) => nullBodyOf<z.output<typeof mute>>(MuteSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
  };
}

function scopeOf({ workspace_id: workspaceId, client_id: clientId, domain_id: domainId }: ScopeQuery) {
  return withoutUndefined({ workspaceId, clientId, domainId });
}

/** Counts of the core have 64 bits, which JSON of protobuf has as texts. */
function sourceBody(one: DmarcSource): z.output<typeof dmarcSource> {
  return {
    source: one.source,
    known: one.known,
    address_count: one.addressCount,
    domain_count: one.domainCount,
    domains: [...one.domains],
    sums: sumsBody(one.sums),
    messages_by_day: one.messagesByDay.map(Number),
    failed_by_day: one.failedByDay.map(Number),
  };
}

function sumsBody(sums: DmarcSums | undefined): z.output<typeof dmarcSource>["sums"] {
  const { none = 0n, quarantine = 0n, reject = 0n, other = 0n } = sums?.dispositions ?? {};
  return {
    messages: Number(sums?.messages ?? 0n),
    passed: Number(sums?.passed ?? 0n),
    failed: Number(sums?.failed ?? 0n),
    dkim_aligned: Number(sums?.dkimAligned ?? 0n),
    spf_aligned: Number(sums?.spfAligned ?? 0n),
    overridden: Number(sums?.overridden ?? 0n),
    dispositions: {
      none: Number(none),
      quarantine: Number(quarantine),
      reject: Number(reject),
      other: Number(other),
    },
  };
}
