import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  watches as contract,
  watchChange,
  watchedDomainDetails,
} from "../../../contracts/dashboard/watches.ts";
import {
  type WatchedDomain as Found,
  WatchChangeSchema,
  WatchedDomainSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { domainBody, nullBodyOf } from "../intel-body.ts";
import { domainListOf, watchSettingsOf } from "../intel-requests.ts";
import { createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";

/** What answers the routes of `dashboard.watches`. */
export function watches(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listWatchedDomains: async ({ request, query }) => {
      const found = await coreFor(request).watches.listWatchedDomains({
        ...{ ...pageRequest(query), ...domainListOf(query) },
        workspaceId: query.workspace_id ?? "",
      });
      const all = found.domains.map((one) => domainBody(one, query.include));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    addWatchedDomain: async ({ request, body }) => {
      const { client_id: clientId, name, ...settings } = body;
      const asked = { clientId, name, settings: watchSettingsOf(settings) };
      const added = await coreFor(request).watches.addWatchedDomain(asked);
      return { status: 201, body: detailsOf(added.domain) };
    },
    getWatchedDomain: async ({ request, params }) => {
      const found = await coreFor(request).watches.getWatchedDomain({ id: params.domain_id });
      return { status: 200, body: detailsOf(found.domain) };
    },
    updateWatchedDomain: async ({ request, params, body: { client_id: clientId = "", ...settings } }) => {
      const asked = { id: params.domain_id, clientId, settings: watchSettingsOf(settings) };
      const updated = await coreFor(request).watches.updateWatchedDomain(asked);
      return { status: 200, body: detailsOf(updated.domain) };
    },
    removeWatchedDomain: async ({ request, params }) => {
      await coreFor(request).watches.removeWatchedDomain({ id: params.domain_id });
      return { status: 204, body: undefined };
    },
    checkWatchedDomain: async ({ request, params }) => {
      const checked = await coreFor(request).watches.checkWatchedDomain({ id: params.domain_id });
      return { status: 200, body: detailsOf(checked.domain) };
    },
    muteCheck: async ({ request, params, body }) => {
      const until = momentOf(body.until, "/until");
      const asked = { id: params.domain_id, checkId: params.check_id };
      const muted = await coreFor(request).watches.muteCheck({
        ...asked,
        ...(until && { until: timestampFromDate(until) }),
      });
      return { status: 200, body: detailsOf(muted.domain) };
    },
    unmuteCheck: async ({ request, params }) => {
      const asked = { id: params.domain_id, checkId: params.check_id };
      const told = await coreFor(request).watches.muteCheck(asked);
      return { status: 200, body: detailsOf(told.domain) };
    },
    listWatchChanges: async ({ request, query }) => {
      const { workspace_id: workspaceId = "", domain_id: domainId = "" } = query;
      const asked = { ...pageRequest(query), workspaceId, domainId };
      const found = await coreFor(request).watches.listWatchChanges(asked);
      const all = found.changes.map((one) =>
        nullBodyOf<z.output<typeof watchChange>>(WatchChangeSchema, one),
      );
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
  };
}

function detailsOf(found: Found | undefined): z.output<typeof watchedDomainDetails> {
  return nullBodyOf(WatchedDomainSchema, found);
}
