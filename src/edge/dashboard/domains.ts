import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  domain,
  domainEvent,
  domainLink,
  listedDomain,
  sharedRecords,
} from "../../../contracts/common/domain-schemas.ts";
import type { domains as contract } from "../../../contracts/dashboard/domains.ts";
import {
  DomainEventSchema,
  DomainLinkSchema,
  DomainSchema,
  FindDomainLinkResponseSchema,
  type Domain as Found,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";

type Domain = z.output<typeof domain>;
type DomainEvent = z.output<typeof domainEvent>;

/** Handlers of the routes of `dashboard.domains`. */
export function domains(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  const whole = (found: Found | undefined) => bodyOf<Domain>(DomainSchema, found);
  return {
    listDomains: async ({ request, query }) => {
      const { search = "", status = "" } = query;
      const found = await coreFor(request).domains.listDomains({ ...pageRequest(query), search, status });
      return { status: 200, body: pageBody(found.domains.map(listed), found.nextPageToken) };
    },
    addDomain: async ({ request, body }) => {
      const added = await coreFor(request).domains.addDomain({ domain: body.domain });
      return { status: 201, body: whole(added.domain) };
    },
    getDomain: async ({ request, params }) => {
      const found = await coreFor(request).domains.getDomain({ domain: params.domain });
      return { status: 200, body: whole(found.domain) };
    },
    checkDomain: async ({ request, params }) => {
      const checked = await coreFor(request).domains.checkDomain({ domain: params.domain });
      return { status: 200, body: whole(checked.domain) };
    },
    listDomainEvents: async ({ request, params }) => {
      const { events } = await coreFor(request).domains.listDomainEvents({ domain: params.domain });
      return {
        status: 200,
        body: { data: events.map((one) => bodyOf<DomainEvent>(DomainEventSchema, one)) },
      };
    },
    getZoneFile: async ({ request, params }) => {
      const { zoneFile } = await coreFor(request).domains.getZoneFile({ domain: params.domain });
      return { status: 200, body: { zone_file: zoneFile } };
    },
    rotateDomain: async ({ request, params, body }) => {
      const { sign_after_hours: signAfterHours } = body;
      const rotated = await coreFor(request).domains.rotateDomain({
        domain: params.domain,
        ...(signAfterHours !== undefined && { signAfterHours }),
      });
      return { status: 200, body: whole(rotated.domain) };
    },
    removeDomain: async ({ request, params, query }) => {
      const removed = await coreFor(request).domains.removeDomain({
        domain: params.domain,
        force: isForced(query),
      });
      return removedAnswer(removed);
    },
    createDomainLink: async ({ request, params, body }) => {
      const { expires_in_days: expiresInDays } = body;
      const { link } = await coreFor(request).domains.createDomainLink({
        domain: params.domain,
        ...(expiresInDays !== undefined && { expiresInDays }),
      });
      return { status: 201, body: bodyOf<z.output<typeof domainLink>>(DomainLinkSchema, link) };
    },
    removeDomainLink: async ({ request, params }) => {
      await coreFor(request).domains.removeDomainLink({ domain: params.domain });
      return { status: 204, body: undefined };
    },
    findDomainLink: async ({ request, body }) => {
      const found = await coreFor(request).domains.findDomainLink({ token: body.token });
      return {
        status: 200,
        body: bodyOf<z.output<typeof sharedRecords>>(FindDomainLinkResponseSchema, found),
      };
    },
  };
}

/** A list has neither keys nor records. */
function listed(found: Found): z.output<typeof listedDomain> {
  const { keys: _keys, records: _records, ...summary } = bodyOf<Domain>(DomainSchema, found);
  return summary;
}
