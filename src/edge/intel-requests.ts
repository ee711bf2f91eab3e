import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import type { reportRequest } from "../../contracts/common/intel-report-request.ts";
import type { newClient, newWatchedDomain } from "../../contracts/common/intel-schemas.ts";
import { Fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { inRequestNames, momentOf } from "./dashboard/call.ts";

type Asked<Field extends string> = { readonly [F in Field]?: string | undefined };

export type ClientFilterQuery = Asked<"search" | "status" | "tag" | "external_ref">;
type DomainField =
  | "id"
  | "name"
  | "client_id"
  | "status"
  | "role"
  | "grade"
  | "finding"
  | "search"
  | "tag"
  | "sort";
export type DomainFilterQuery = Asked<DomainField> & { readonly include?: readonly string[] | undefined };

export type BlacklistFilterQuery = Asked<"ip" | "domain" | "domain_id" | "client_id" | "list" | "state">;

/** Converts the query of a list of clients to the filter of the core. */
export function clientFilterOf({ search, status, tag, external_ref: externalRef }: ClientFilterQuery) {
  return withoutUndefined({ search, status, tag, externalRef });
}

/** Converts the query of a list of domains to the request of the core. */
export function domainListOf({ sort = "", include = [], ...query }: DomainFilterQuery) {
  const { id, name, client_id: clientId, status, role, grade, finding, search, tag } = query;
  const filter = withoutUndefined({ id, name, clientId, status, role, grade, finding, search, tag });
  return { filter, sort, include: [...include] };
}

/** Converts the query of a list of blacklist results to the filter of the core. */
export function blacklistFilterOf(query: BlacklistFilterQuery) {
  const { ip, domain, domain_id: domainId, client_id: clientId, list, state } = query;
  return withoutUndefined({ ip, domain, domainId, clientId, list, state });
}

/** Converts the body of a request to the settings of a client. */
export function clientSettingsOf(body: z.output<typeof newClient>) {
  const {
    name,
    external_ref: externalRef,
    contact_emails: contactEmails,
    tags,
    notes,
    locale,
    timezone,
  } = body;
  return withoutUndefined({ name, externalRef, contactEmails, tags, notes, locale, timezone });
}

/** Converts the body of a request to the settings of a domain. */
export function watchSettingsOf(body: Omit<z.output<typeof newWatchedDomain>, "client_id" | "name">) {
  const { role, dkim_selectors: dkimSelectors, sending_ips: sendingIps, paused, tags, notes } = body;
  const list = tags && { values: [...tags] };
  return withoutUndefined({ role, dkimSelectors, sendingIps, paused, tags: list, notes });
}

/**
 * Converts the body of a request to the order of a report.
 * @throws Fault request.validation_failed
 */
export function reportOrderOf(body: z.output<typeof reportRequest>) {
  const { scope, period, format, sections, locale, timezone, branding, paper } = body;
  const from = momentOf(period?.from, "/period/from");
  const to = momentOf(period?.to, "/period/to");
  return {
    scope: { type: scope.type, id: scope.id ?? "" },
    ...(from && { from: timestampFromDate(from) }),
    ...(to && { to: timestampFromDate(to) }),
    ...withoutUndefined({ format, sections, locale, timezone, paper }),
    ...(branding && { branding: { name: branding.name ?? "", color: branding.color ?? "" } }),
  };
}

/** Faults of a list name what its query has named. */
export async function askedByQuery<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (refused) {
    throw inRequestNames(Fault.from(refused), true);
  }
}
