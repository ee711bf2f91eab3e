import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { domain, listedDomain, sharedRecords } from "../../../contracts/common/domain-schemas.ts";
import { domains } from "../../../contracts/dashboard/domains.ts";
import { call, callOnce, clientOf } from "./client.ts";
import { listQuery, type PageOptions, pageOf } from "./pages.ts";

const client = clientOf(domains);

export type ListedDomain = z.output<typeof listedDomain>;
export type Domain = z.output<typeof domain>;
export type DomainRecord = Domain["records"][number];

export interface DomainFilter {
  readonly search?: string;
  readonly status?: Status;
}
type Status = "unverified" | "verifying" | "verified" | "degraded" | "failed";

/** One page of the domains that match a filter, by name. */
export const loadDomains = (filter: DomainFilter, cursor: string, { limit, signal }: PageOptions) =>
  call(() =>
    client.listDomains({
      query: { ...pageOf(cursor, limit), ...filter },
      ...(signal && { fetchOptions: { signal } }),
    }),
  );

/** Sending domains that match a filter, by name. */
export const domainsBy = (filter: DomainFilter) =>
  listQuery(["domains", "list", filter], 100, ({ query, fetchOptions }) =>
    call(() => client.listDomains({ query: { ...query, ...filter }, fetchOptions })),
  );

/** A domain with its keys, its records, and the records found in the DNS. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ["domains", "one", name],
    queryFn: ({ signal }) =>
      call(() => client.getDomain({ params: { domain: name }, fetchOptions: { signal } })),
  });

export const addDomain = (name: string) => call(() => client.addDomain({ body: { domain: name } }));
export const checkDomain = (name: string) => call(() => client.checkDomain({ params: { domain: name } }));
/** @param sign_after_hours when the new keys take over */
export const rotateDomain = (name: string, sign_after_hours: number) =>
  call(() => client.rotateDomain({ params: { domain: name }, body: { sign_after_hours } }));
export const removeDomain = (name: string, isForced: boolean) =>
  call(() =>
    client.removeDomain({ params: { domain: name }, query: isForced ? { force: "true" as const } : {} }),
  );

/** The records of a domain as a zone file. */
export const zoneFileQuery = (name: string) =>
  queryOptions({
    queryKey: ["domains", "zone-file", name],
    queryFn: async ({ signal }) =>
      (await call(() => client.getZoneFile({ params: { domain: name }, fetchOptions: { signal } })))
        .zone_file,
  });

export const createDomainLink = (name: string, expires_in_days: number) =>
  call(() => client.createDomainLink({ params: { domain: name }, body: { expires_in_days } }));
export const removeDomainLink = (name: string) =>
  call(() => client.removeDomainLink({ params: { domain: name } }));

export type SharedRecords = z.output<typeof sharedRecords>;

/**
 * Records that the link in the address of the page shows. The query key has no token, and the result is dropped with the page.
 */
export const sharedRecordsQuery = queryOptions({
  queryKey: ["domain-link"],
  gcTime: 0,
  queryFn: ({ signal }) =>
    callOnce(() =>
      client.findDomainLink({ body: { token: window.location.hash.slice(1) }, fetchOptions: { signal } }),
    ),
});

/** Address of the page that a token opens. */
export const sharedRecordsAddress = (token: string) => new URL(`dns-records#${token}`, document.baseURI).href;
