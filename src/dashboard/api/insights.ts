import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  blacklistHealth,
  dmarcSource,
  finding,
  findingDetails,
  scoreHistory,
} from "../../../contracts/common/insight-schemas.ts";
import type { listing } from "../../../contracts/common/intel-schemas.ts";
import { insights, type mute } from "../../../contracts/dashboard/insights.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(insights);

export type DmarcSource = z.output<typeof dmarcSource>;
export type BlacklistHealth = z.output<typeof blacklistHealth>;
/** A finding over the domains of a scope. */
export type Finding = z.output<typeof finding>;
export type Mute = z.output<typeof mute>;
/** State of an address or domain at a blacklist. */
export type Listing = z.output<typeof listing>;

/** Filters of the sources of DMARC reports, as in the address. */
export interface DmarcFilter {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
  /** Number of days with today. Missing: a week. */
  readonly days?: string | undefined;
  /** A single day in UTC, as `2030-01-02`. */
  readonly day?: string | undefined;
  readonly result?: string | undefined;
  readonly known?: string | undefined;
}
export const dmarcFilterNames = [
  "workspace_id",
  "client_id",
  "domain_id",
  "days",
  "day",
  "result",
  "known",
] as const satisfies readonly (keyof DmarcFilter)[];

const DAY_MS = 86_400_000;

/** The range of a filter in the form of the API, which counts whole days in UTC. */
function rangeOf({ days, day }: DmarcFilter) {
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day));
  if (isDay) return { from: `${day}T00:00:00Z`, until: `${day}T23:59:59Z` };
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1) return {};
  return { from: new Date(Date.now() - (count - 1) * DAY_MS).toISOString() };
}

/** The filter in the form of the API. */
const dmarcOf = ({ days, day, ...others }: DmarcFilter) => ({ ...others, ...rangeOf({ days, day }) });

/** A page of sources, with sums of each day and of all sources. */
export type DmarcPage = Awaited<ReturnType<typeof loadSources>>;

const loadSources = (filter: DmarcFilter, query: object, fetchOptions: { readonly signal: AbortSignal }) =>
  call(() => client.listDmarcSources({ query: { ...query, ...dmarcOf(filter) } as never, fetchOptions }));

/** Sources of mail in DMARC reports. */
export const dmarcSourcesQuery = (filter: DmarcFilter) =>
  listQuery(["intel", "dmarc", filter], 50, ({ query, fetchOptions }) =>
    loadSources(filter, query, fetchOptions),
  );

/** The domains that a summary is about: one domain, those of a client, or those of a workspace. */
export interface InsightScope {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
}

/** Findings of a scope with the points that their repairs gain, largest gain first. */
export const findingsQuery = (scope: InsightScope) =>
  queryOptions({
    queryKey: ["intel", "findings", scope],
    queryFn: ({ signal }) =>
      call(() => client.listFindings({ query: scope as never, fetchOptions: { signal } })),
  });

/** A finding of one domain, with its repair. */
export type FindingDomain = z.output<typeof findingDetails>;

/** The domains of a scope on which a check is a finding, largest gain first. */
export const findingDomainsQuery = (check_id: string, scope: InsightScope) =>
  listQuery(["intel", "findings", check_id, scope], 50, ({ query, fetchOptions }) =>
    call(() =>
      client.listFindingDomains({
        params: { check_id },
        query: { ...query, ...scope } as never,
        fetchOptions,
      }),
    ),
  );

export type ScoreHistory = z.output<typeof scoreHistory>;
export type HistoryStep = ScoreHistory["step"];

/** The score of a scope at the end of each step until now. @param days length of the range */
export const scoreHistoryQuery = (scope: InsightScope, days: number, step: HistoryStep) =>
  queryOptions({
    queryKey: ["intel", "history", scope, days, step],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - days * DAY_MS).toISOString();
      return call(() =>
        client.getScoreHistory({ query: { ...scope, from, step } as never, fetchOptions: { signal } }),
      );
    },
  });

/** Mutes of a scope that have not ended, earliest end first. */
export const mutesBy = (scope: InsightScope) =>
  listQuery(["intel", "mutes", scope], 50, ({ query, fetchOptions }) =>
    call(() => client.listMutes({ query: { ...query, ...scope } as never, fetchOptions })),
  );

/** Filters of the blacklist status, as in the address. */
export interface ListingFilter {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
  readonly list?: string | undefined;
  /** Missing: entries only. */
  readonly state?: string | undefined;
}
/** State in the address for all states. */
export const ALL_STATES = "all";
export const listingFilterNames = [
  "workspace_id",
  "client_id",
  "domain_id",
  "list",
  "state",
] as const satisfies readonly (keyof ListingFilter)[];

/** Addresses and domains at each blacklist, as of their last checks. */
export const listingsQuery = ({ state = "listed", ...filter }: ListingFilter) =>
  listQuery(["intel", "listings", { ...filter, state }], 50, ({ query, fetchOptions }) => {
    const asked = { ...query, ...filter, ...(state !== ALL_STATES && { state }) };
    return call(() => client.listBlacklistStatus({ query: asked as never, fetchOptions }));
  });

/** The blacklists that Hermod knows, with the results of their self-tests. */
export const blacklistsQuery = queryOptions({
  queryKey: ["intel", "blacklists"],
  queryFn: ({ signal }) => call(() => client.listBlacklists({ fetchOptions: { signal } })),
});
