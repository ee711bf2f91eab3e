import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { domain, listedDomain } from "../../../contracts/common/domain-schemas.ts";
import { domains } from "../../../contracts/dashboard/domains.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(domains);

export type ListedDomain = z.output<typeof listedDomain>;
export type Domain = z.output<typeof domain>;
export type DomainRecord = Domain["records"][number];

/** Sending domains by name. */
export const domainsQuery = listQuery(["domains", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listDomains({ query: query, fetchOptions })),
);

/** A domain with its keys, its records, and what was found of them. */
export const domainQuery = (name: string) =>
  queryOptions({
    queryKey: ["domains", "one", name],
    queryFn: ({ signal }) =>
      call(() => client.getDomain({ params: { domain: name }, fetchOptions: { signal } })),
  });

export const addDomain = (name: string) => call(() => client.addDomain({ body: { domain: name } }));
export const checkDomain = (name: string) => call(() => client.checkDomain({ params: { domain: name } }));
export const rotateDomain = (name: string) =>
  call(() => client.rotateDomain({ params: { domain: name }, body: {} }));
export const removeDomain = (name: string) =>
  call(() => client.removeDomain({ params: { domain: name }, query: {} }));
export const zoneFileOf = async (name: string) =>
  (await call(() => client.getZoneFile({ params: { domain: name } }))).zone_file;
