import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { idempotencyHeaders } from "./common/idempotency-headers.ts";
import { blacklistFilter, clientFilter, domainFilter } from "./common/intel-filters.ts";
import { reportRequest } from "./common/intel-report-request.ts";
import { intelReport, reportProgress } from "./common/intel-report-schemas.ts";
import {
  client,
  listing,
  newClient,
  newWatchedDomain,
  watchedDomain,
  workspace,
  workspaceId,
} from "./common/intel-schemas.ts";
import type { Permission } from "./common/permission.ts";
import { problem, problemsOfReading as problemsOfAny, problemsOfSubmission } from "./common/problem.ts";
import { pageQuery as pages } from "./dashboard/common.ts";

const c = initContract();

const workspaceQuery = {
  workspace_id: workspaceId.optional().meta({
    description: "Workspace of the key, which is also the default. Any other workspace answers 404.",
  }),
};

const pageQuery = { ...workspaceQuery, ...pages.shape };

/** One page of a list. All of its fields are always present. */
function page<Entry extends z.ZodType>(id: string, entry: Entry, more: z.ZodRawShape = {}) {
  return z
    .object({
      data: z.array(entry),
      has_more: z.boolean().meta({ description: "`true` if another page follows." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Cursor of the next page; `null` on the last page. It does not expire." }),
      ...more,
    })
    .meta({ id, description: "Page of a list." });
}

/** Includes 404, because the workspace or a resource in it may not exist. */
const problemsOfReading = { 404: problem, ...problemsOfAny } as const;

const reading = { key: "deliverability", scope: "intel.read" } as const satisfies Permission;
const writing = { key: "deliverability", scope: "intel.write" } as const satisfies Permission;

const BASE = "/api/deliverability/v1";

export const intel = c.router({
  listWorkspaces: {
    method: "GET",
    path: `${BASE}/workspaces`,
    summary: "List workspaces",
    description: "Lists the workspace of the key. A key belongs to exactly one workspace.",
    metadata: { permission: reading },
    query: z.strictObject(workspaceQuery),
    responses: { 200: page("WorkspacePage", workspace), 304: c.noBody(), ...problemsOfReading },
    strictStatusCodes: true,
  },
  listClients: {
    method: "GET",
    path: `${BASE}/clients`,
    summary: "List clients",
    description: "Lists clients in order of their names, including archived clients.",
    metadata: { permission: reading },
    query: z.strictObject({
      ...pageQuery,
      ...clientFilter,
    }),
    responses: { 200: page("ClientPage", client), 304: c.noBody(), ...problemsOfReading },
    strictStatusCodes: true,
  },
  createClient: {
    method: "POST",
    path: `${BASE}/clients`,
    summary: "Create a client",
    description:
      "Creates a client. Its name, compared without regard to letter case, and its `external_ref` must be unique in the workspace.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("client-crm-4711", "creates no second client"),
    query: z.strictObject(workspaceQuery),
    body: newClient,
    responses: { 201: client, 404: problem, ...problemsOfSubmission },
    strictStatusCodes: true,
  },
  listDomains: {
    method: "GET",
    path: `${BASE}/domains`,
    summary: "List domains",
    description:
      "Lists the watched domains that match all given parameters. With `id` or `name` the list has at most one domain. `include=checks` adds every check with its evidence and its fix.",
    metadata: { permission: reading },
    query: z.strictObject({
      ...pageQuery,
      ...domainFilter,
    }),
    responses: { 200: page("WatchedDomainPage", watchedDomain), 304: c.noBody(), ...problemsOfReading },
    strictStatusCodes: true,
  },
  addDomain: {
    method: "POST",
    path: `${BASE}/domains`,
    summary: "Add a domain",
    description:
      "Adds a domain to a client. Hermod checks it at once and then regularly. No proof of ownership is needed, because the checks use public data. A workspace can watch a domain only once, across all clients.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("domain-example.com", "adds no second domain"),
    query: z.strictObject(workspaceQuery),
    body: newWatchedDomain,
    responses: { 201: watchedDomain, 404: problem, ...problemsOfSubmission },
    strictStatusCodes: true,
  },
  listBlacklistStatus: {
    method: "GET",
    path: `${BASE}/blacklists/status`,
    summary: "List blacklist status",
    description:
      "Lists the status of addresses and domains at each blacklist, as of the last check. The request itself queries no blacklist. If no domain of the workspace has the given `ip` or `domain`, the response is 404, because an empty list would suggest that it is clean.",
    metadata: { permission: reading },
    query: z.strictObject({
      ...pageQuery,
      ...blacklistFilter,
    }),
    responses: {
      200: page("BlacklistStatusPage", listing, {
        summary: z.record(z.string(), z.int()).meta({
          description:
            "Number of entries by state, across all pages. The `state` parameter does not affect it.",
          examples: [
            { listed: 1, clean: 40, refused: 0, error: 0, unreliable: 0, pending: 2, not_configured: 21 },
          ],
        }),
      }),
      304: c.noBody(),
      ...problemsOfReading,
    },
    strictStatusCodes: true,
  },
  generateReport: {
    method: "POST",
    path: `${BASE}/reports/generate`,
    summary: "Generate a report",
    description:
      "Generates a report about a workspace, a client or a domain. A report never changes: a retry with the same `Idempotency-Key` returns the same bytes. `X-Report-Id` holds the id of the report. A report of more than 100 domains, or one that is not ready within five seconds, becomes a job: the response is 202, and the path in `Location` returns the report when it is ready.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("report-2030-01", "generates no second report"),
    query: z.strictObject(workspaceQuery),
    body: reportRequest,
    // An HTML or PDF document is not JSON. The description and the media type of the response say what it is.
    responses: {
      201: z.union([intelReport, z.unknown()]),
      202: reportProgress,
      404: problem,
      ...problemsOfSubmission,
    },
    strictStatusCodes: true,
  },
  getReport: {
    method: "GET",
    path: `${BASE}/reports/:report_id`,
    summary: "Get a report",
    description:
      "Gets a report in the format in which it was generated, or responds with 202 while its job is running. Hermod keeps reports for 400 days, and jobs for 30 days after their end. A report of another workspace answers 404.",
    metadata: { permission: reading },
    pathParams: z.object({
      report_id: z
        .string()
        .meta({ description: "Id of the report.", examples: ["rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    }),
    query: z.strictObject(workspaceQuery),
    responses: {
      200: z.union([intelReport, z.unknown()]),
      202: reportProgress,
      409: problem,
      ...problemsOfReading,
    },
    strictStatusCodes: true,
  },
});
