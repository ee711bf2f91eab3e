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
    description: "Sending domains by name, and how they stand.",
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
      "Makes its DKIM keys and a token, by which its owner proves that it is theirs; adding it again changes nothing. It may be sent from once the required records are published.",
    body: z.strictObject({ domain: domainName }).meta({ id: "AddDomainRequest" }),
    ...changing({ access: "domains.write", faults: ["domain.too_many"], success: { 201: domain } }),
  },
  getDomain: {
    method: "GET",
    path: "/api/domains/:domain",
    pathParams,
    summary: "See a domain",
    description: "With its keys, its records, and what was found of them.",
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
    summary: "Look at a domain's records now",
    description:
      "At its own name servers and at the resolver; it takes up to twenty seconds. What is known stays until then, and an error takes nothing away. Every ten seconds at most.",
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
    summary: "See how a domain's status has changed",
    description: "The latest first; the last hundred. They stay when the domain is removed.",
    ...reading({
      access: "domains.read",
      faults: ["domain.unknown"],
      success: {
        200: z.object({ data: z.array(domainEvent) }).meta({ id: "DomainEventList", description: "Events." }),
      },
    }),
  },
  getZoneFile: {
    method: "GET",
    path: "/api/domains/:domain/zone-file",
    pathParams,
    summary: "The records of a domain as a zone file",
    description:
      "The records that its owner is to publish, in the form of RFC 1035 for DNS providers that read it. An SPF or DMARC record in it takes the place of the one that is there.",
    ...reading({
      access: "domains.read",
      faults: ["domain.unknown"],
      success: {
        200: z
          .object({ zone_file: z.string().meta({ description: "Its text." }) })
          .meta({ id: "ZoneFile", description: "A zone file." }),
      },
    }),
  },
  rotateDomain: {
    method: "POST",
    path: "/api/domains/:domain/rotate",
    pathParams,
    summary: "Make the next DKIM keys of a domain",
    description:
      "Those that sign now go on until the new ones take over, so that their records can be published first.",
    body: z
      .strictObject({
        sign_after_hours: z
          .int()
          .min(0)
          .max(8_760)
          .optional()
          .meta({ description: "When the new keys take over, in hours from now (48)." }),
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
    description: "With its keys: its proof permits nothing any more, and added again it has another token.",
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
      "The link shows the records that the owner publishes, and their state, to a person without a session: the one who edits the DNS. It shows nothing else of the account. A new link takes the place of the former one.",
    body: z
      .strictObject({
        expires_in_days: z
          .int()
          .min(1)
          .max(30)
          .optional()
          .meta({ description: "Days until the link expires: 1 to 30 (7)." }),
      })
      .meta({ id: "CreateDomainLinkRequest" }),
    ...changing({ access: "domains.write", faults: ["domain.unknown"], success: { 201: domainLink } }),
  },
  removeDomainLink: {
    method: "DELETE",
    path: "/api/domains/:domain/link",
    pathParams,
    summary: "Withdraw the link to a domain's DNS records",
    description: "The link shows nothing from now on. Without a link nothing changes.",
    ...changing({ access: "domains.write", faults: ["domain.unknown"], success: { 204: c.noBody() } }),
  },
  findDomainLink: {
    method: "POST",
    path: "/api/domain-link/find",
    summary: "See the DNS records that a link shows",
    description:
      "The token stands behind `#` in the link, and in no address that a server is sent. A link is read 60 times a minute at most.",
    body: z.strictObject({ token: linkToken }).meta({ id: "FindDomainLinkRequest" }),
    ...changing({
      access: "anyone",
      faults: ["domain.link_invalid", "rate.limited"],
      success: { 200: sharedRecords },
    }),
  },
});
