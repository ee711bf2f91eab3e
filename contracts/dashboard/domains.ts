import { initContract } from "@ts-rest/core";
import { z } from "zod";
import {
  domain,
  domainEvent,
  domainLink,
  domainName,
  listedDomain,
  sharedRecords,
} from "../common/domain-schemas.ts";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { changing, reading } from "../common/session-access.ts";
import { linkToken, listSearch, page, pageQuery } from "./common.ts";

const c = initContract();

const pathParams = z.object({ domain: domainName });

export const domains = c.router({
  listDomains: {
    method: "GET",
    path: "/api/domains",
    summary: "List domains",
    description: "Lists sending domains by name, with their status.",
    query: pageQuery.extend({
      search: listSearch,
      status: z
        .enum(["unverified", "verifying", "verified", "degraded", "failed"])
        .optional()
        .meta({ description: "Status of the domains.", examples: ["verified"] }),
    }),
    ...reading({
      access: "domains.read",
      faults: ["request.validation_failed"],
      success: { 200: page("DomainList", listedDomain) },
    }),
  },
  addDomain: {
    method: "POST",
    path: "/api/domains",
    summary: "Add a domain",
    description:
      "Adds a sending domain, and creates its DKIM keys and a token with which the owner proves ownership. Adding a domain again changes nothing. Mail can be sent from the domain once the required records are published.",
    body: z.strictObject({ domain: domainName }).meta({ id: "AddDomainRequest" }),
    ...changing({ access: "domains.write", faults: ["domain.too_many"], success: { 201: domain } }),
  },
  getDomain: {
    method: "GET",
    path: "/api/domains/:domain",
    pathParams,
    summary: "Get a domain",
    description: "Returns a domain with its keys, its records and the records found in the DNS.",
    ...reading({
      access: "domains.read",
      faults: ["domain.unknown"],
      success: { 200: domain },
    }),
  },
  checkDomain: {
    method: "POST",
    path: "/api/domains/:domain/check",
    pathParams,
    summary: "Check a domain's records now",
    description:
      "Checks the records at the domain's own name servers and at the resolver. The check takes up to 20 seconds. The known state stays until the check ends, and an error does not change it. A domain can be checked once in 10 seconds.",
    body: c.noBody(),
    ...changing({
      access: "domains.write",
      faults: ["domain.unknown", "domain.check_too_soon"],
      success: { 200: domain },
    }),
  },
  listDomainEvents: {
    method: "GET",
    path: "/api/domains/:domain/events",
    pathParams,
    summary: "List a domain's status changes",
    description: "Lists the last 100 changes, newest first. They are kept when the domain is removed.",
    ...reading({
      access: "domains.read",
      faults: ["domain.unknown"],
      success: {
        200: z
          .object({ data: z.array(domainEvent) })
          .meta({ id: "DomainEventList", description: "Status changes of a domain." }),
      },
    }),
  },
  getZoneFile: {
    method: "GET",
    path: "/api/domains/:domain/zone-file",
    pathParams,
    summary: "Get a domain's records as a zone file",
    description:
      "Returns the records that the owner must publish, in the format of RFC 1035, for DNS providers that import it. An SPF or DMARC record in the file replaces the existing record.",
    ...reading({
      access: "domains.read",
      faults: ["domain.unknown"],
      success: {
        200: z
          .object({ zone_file: z.string().meta({ description: "Text of the zone file." }) })
          .meta({ id: "ZoneFile", description: "A zone file." }),
      },
    }),
  },
  rotateDomain: {
    method: "POST",
    path: "/api/domains/:domain/rotate",
    pathParams,
    summary: "Create the next DKIM keys of a domain",
    description:
      "Creates new DKIM keys. The current keys sign until the new keys take over, so that the new records can be published first.",
    body: z
      .strictObject({
        sign_after_hours: z
          .int()
          .min(0)
          .max(8_760)
          .optional()
          .meta({ description: "Hours until the new keys take over. Default: 48." }),
      })
      .meta({ id: "RotateDomainRequest" }),
    ...changing({
      access: "domains.write",
      faults: ["domain.unknown", "domain.too_many_keys"],
      success: { 200: domain },
    }),
  },
  removeDomain: {
    method: "DELETE",
    path: "/api/domains/:domain",
    query: removalQuery,
    pathParams,
    summary: "Remove a domain",
    description:
      "Removes a domain and its keys. The proof of ownership becomes void: if the domain is added again, it gets another token.",
    ...changing({
      access: "domains.write",
      faults: ["domain.unknown", "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
  createDomainLink: {
    method: "POST",
    path: "/api/domains/:domain/link",
    pathParams,
    summary: "Create a link to a domain's DNS records",
    description:
      "Creates a link that shows the records to publish, and their state, without a session: for the person who edits the DNS. The link shows nothing else of the account. A new link replaces the previous one.",
    body: z
      .strictObject({
        expires_in_days: z
          .int()
          .min(1)
          .max(30)
          .optional()
          .meta({ description: "Days until the link expires: 1 to 30. Default: 7." }),
      })
      .meta({ id: "CreateDomainLinkRequest" }),
    ...changing({ access: "domains.write", faults: ["domain.unknown"], success: { 201: domainLink } }),
  },
  removeDomainLink: {
    method: "DELETE",
    path: "/api/domains/:domain/link",
    pathParams,
    summary: "Revoke the link to a domain's DNS records",
    description: "Revokes the link at once. Changes nothing if there is no link.",
    ...changing({ access: "domains.write", faults: ["domain.unknown"], success: { 204: c.noBody() } }),
  },
  findDomainLink: {
    method: "POST",
    path: "/api/domain-link/find",
    summary: "Get the DNS records of a link",
    description:
      "Returns the DNS records that a link shows. The token is the part of the link after `#`, which browsers do not send to servers. A link can be read at most 60 times per minute.",
    body: z.strictObject({ token: linkToken }).meta({ id: "FindDomainLinkRequest" }),
    ...changing({
      access: "anyone",
      faults: ["domain.link_invalid", "rate.limited"],
      success: { 200: sharedRecords },
    }),
  },
});
