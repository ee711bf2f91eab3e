import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { auditEntry, audits as contract } from "../../../contracts/dashboard/audits.ts";
import { EntrySchema } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";
import { CSV, fileDownload } from "./file-download.ts";

type Entry = z.output<typeof auditEntry>;

interface FilterQuery {
  readonly actor_id?: string | undefined;
  readonly action?: string | undefined;
  readonly target_id?: string | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Handlers of the routes of `dashboard.audits`. */
export function audits(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listEntries: async ({ request, query }) => {
      const asked = { ...pageRequest(query), filter: filterOf(query) };
      const found = await coreFor(request).audits.listEntries(asked);
      const data = found.entries.map((one) => bodyOf<Entry>(EntrySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listOwnEntries: async ({ request, query }) => {
      const found = await coreFor(request).audits.listOwnEntries(pageRequest(query));
      const data = found.entries.map((one) => bodyOf<Entry>(EntrySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    listActions: async ({ request }) => {
      const found = await coreFor(request).audits.listActions({});
      return {
        status: 200,
        body: {
          data: found.actions.map(({ name, group, description, outcomes }) => ({
            name,
            group,
            description,
            outcomes,
          })),
          retention_days: found.retentionDays,
          unauthenticated_retention_days: found.unauthenticatedRetentionDays,
        },
      };
    },
    exportEntries: async ({ request, reply, query }) => {
      const parts = coreFor(request).audits.exportEntries({ filter: filterOf(query), format: "csv" });
      return fileDownload(reply, { name: "audit.csv", mediaType: CSV }, parts);
    },
  };
}

/** @throws Fault request.validation_failed */
function filterOf({ actor_id, action, target_id, outcome, from: start, until: end }: FilterQuery) {
  const [from, until] = [momentOf(start, "/from"), momentOf(end, "/until")];
  return {
    actorId: actor_id ?? "",
    action: action ?? "",
    targetId: target_id ?? "",
    outcome: outcome ?? "",
    ...(from && { from: timestampFromDate(from) }),
    ...(until && { until: timestampFromDate(until) }),
  };
}
