import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { watchedDomain } from "../../../contracts/common/intel-schemas.ts";
import type { watchChange } from "../../../contracts/common/watch-changes.ts";
import { watches } from "../../../contracts/dashboard/watches.ts";
import { call, clientOf } from "./client.ts";
import { pollMs } from "./live.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(watches);

/** A watched domain as in the list: without its checks. */
export type ListedWatch = z.output<typeof watchedDomain>;

export const unmuteCheck = (domain_id: string, check_id: string, if_revision?: string) =>
  call(() =>
    client.unmuteCheck({ params: { domain_id, check_id }, query: { ...(if_revision && { if_revision }) } }),
  );

export type Watch = Awaited<ReturnType<typeof checkWatch>>;
/** The result of a check of a domain. */
export type WatchCheck = Watch["checks"][number];
export type NewWatch = Parameters<typeof client.addWatchedDomain>[0]["body"];
/** The settings of a domain, as a change sends them. */
export type WatchSettings = Omit<Parameters<typeof client.updateWatchedDomain>[0]["body"], "if_revision">;

/** Filters of the list, as in the address. */
export const watchFilterNames = [
  "workspace_id",
  "client_id",
  "status",
  "role",
  "grade",
  "finding",
  "search",
  "tag",
  "sort",
] as const;
export type WatchFilter = {
  readonly [Name in (typeof watchFilterNames)[number]]?: string | undefined;
};

/** The event stream reports changes. */
const POLL_MS = 15_000;
const SLOW_POLL_MS = 60_000;
/** A running check reports each finished group. */
const CHECKING_POLL_MS = 1_000;

/** Watched domains of a workspace that match a filter. */
export const watchesBy = (filter: WatchFilter) => ({
  ...listQuery(["intel", "watches", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listWatchedDomains({ query: { ...query, ...filter } as never, fetchOptions })),
  ),
  refetchInterval: pollEvery(() => pollMs(SLOW_POLL_MS, POLL_MS)),
});

/** A watched domain with all checks. @param isChecking whether the user has just requested a check */
export const watchQuery = (domain_id: string, isChecking = false) =>
  queryOptions({
    queryKey: ["intel", "watches", "one", domain_id],
    queryFn: ({ signal }) =>
      call(() => client.getWatchedDomain({ params: { domain_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Watch>((data) =>
      isChecking || data?.checking ? CHECKING_POLL_MS : pollMs(SLOW_POLL_MS, POLL_MS),
    ),
  });

const MOST_OFFERED = 500;
const OFFERS_AT_ONCE = 100;

/** Sending domains of the account that a workspace does not watch, up to 500. */
export const watchOffersQuery = (workspace_id: string | undefined) =>
  queryOptions({
    queryKey: ["intel", "offers", workspace_id],
    queryFn: ({ signal }) =>
      findFirst(MOST_OFFERED, (cursor) =>
        call(() =>
          client.listWatchOffers({
            query: { ...pageOf(cursor, OFFERS_AT_ONCE), ...(workspace_id && { workspace_id }) },
            fetchOptions: { signal },
          }),
        ),
      ),
  });

export const addWatch = (body: NewWatch) => call(() => client.addWatchedDomain({ body }));

/** Replaces the settings. The server refuses it if the domain has another revision. */
export const replaceWatch = (domain_id: string, if_revision: string, settings: WatchSettings) =>
  call(() => client.updateWatchedDomain({ params: { domain_id }, body: { ...settings, if_revision } }));

/** @param isForced removes it even if schedules or alert rules use it */
export const removeWatch = (domain_id: string, if_revision: string, isForced: boolean) =>
  call(() =>
    client.removeWatchedDomain({
      params: { domain_id },
      query: { if_revision, ...(isForced && { force: "true" }) },
    }),
  );

/** Checks a domain now. The answer comes with the result, or after ten seconds. */
export const checkWatch = (domain_id: string) =>
  call(() => client.checkWatchedDomain({ params: { domain_id } }));

/** The check is no finding until this time. */
export const muteCheck = (
  { domain_id, check_id }: { readonly domain_id: string; readonly check_id: string },
  body: { readonly until: string; readonly reason?: string; readonly if_revision: string },
) => call(() => client.muteCheck({ params: { domain_id, check_id }, body }));

const MOST_FOUND = 20;

/** Watched domains by the beginning of a label of their names, for a field that picks one. */
export const foundWatchesQuery = (workspace_id: string | undefined, search: string) =>
  queryOptions({
    queryKey: ["intel", "watches", "found", workspace_id, search],
    queryFn: ({ signal }) =>
      call(() =>
        client.listWatchedDomains({
          query: { limit: MOST_FOUND, ...(workspace_id && { workspace_id }), ...(search && { search }) },
          fetchOptions: { signal },
        }),
      ),
  });

/** A picked domain, for its name. */
export const pickedWatchQuery = (domain_id: string) =>
  queryOptions({
    queryKey: ["intel", "watches", "picked", domain_id],
    queryFn: ({ signal }) =>
      call(() => client.getWatchedDomain({ params: { domain_id }, fetchOptions: { signal } })),
  });

/** Filters of changes of listings, as in the address. */
export interface ListingChangeFilter {
  readonly workspace_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly domain_id?: string | undefined;
}

export type WatchChange = z.output<typeof watchChange>;

/** Beginnings and ends of blacklist entries, newest first. */
export const listingChangesQuery = ({ workspace_id, client_id, domain_id }: ListingChangeFilter) =>
  listQuery(
    ["intel", "listing-changes", { workspace_id, client_id, domain_id }],
    50,
    ({ query, fetchOptions }) =>
      call(() =>
        client.listWatchChanges({
          query: {
            ...query,
            workspace_id,
            client_id,
            domain_id,
            kind: ["blacklist.listed", "blacklist.delisted"],
          } as never,
          fetchOptions,
        }),
      ),
  );

/** Filters of changes of domains, as in the address. Several kinds are separated by commas. */
export const watchChangeFilterNames = [
  "workspace_id",
  "client_id",
  "domain_id",
  "kind",
  "from",
  "until",
] as const;
export type WatchChangeFilter = {
  readonly [Name in (typeof watchChangeFilterNames)[number]]?: string | undefined;
};

/** Changes of domains, newest first. With a kind, a page can be short although another follows. */
export const watchChangesBy = ({ kind, ...filter }: WatchChangeFilter) =>
  listQuery(["intel", "changes", { ...filter, kind }], 50, ({ query, fetchOptions }) =>
    call(() =>
      client.listWatchChanges({
        query: { ...query, ...filter, ...(kind && { kind: kind.split(",") }) } as never,
        fetchOptions,
      }),
    ),
  );

/** A file of domains, and the workspace that they belong to. */
export interface WatchImport {
  readonly csv: string;
  readonly workspace_id?: string | undefined;
}

export type ImportPreview = Awaited<ReturnType<typeof previewImport>>;
export type ImportRow = ImportPreview["rows"][number];

/** The expected result of each row. Nothing is changed. */
export async function previewImport({ csv, workspace_id }: WatchImport) {
  const answer = await call(() =>
    client.importWatchedDomains({ body: { csv, ...(workspace_id && { workspace_id }) } }),
  );
  if (!("confirmation" in answer)) throw new Error("A preview was answered with a job.");
  return answer;
}

/**
 * Starts the job that imports a file that was previewed.
 * @returns its id
 */
export async function beginImport({ csv, workspace_id }: WatchImport, confirmation: string): Promise<string> {
  const answer = await call(() =>
    client.importWatchedDomains({ body: { csv, confirmation, ...(workspace_id && { workspace_id }) } }),
  );
  if (!("kind" in answer)) throw new Error("An import was answered with a preview.");
  return answer.id;
}
