import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { idempotencyHeaders } from "./common/idempotency-headers.ts";
import { clientFilter, domainFilter } from "./common/intel-filters.ts";
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
import { optionalText } from "./common/text-field.ts";
import { pageQuery as pages } from "./dashboard/common.ts";

const c = initContract();

const workspaceQuery = {
  workspace_id: workspaceId.optional().meta({
    description: "The workspace of the key, which is meant without it, too; any other one is unknown.",
  }),
};

const pageQuery = { ...workspaceQuery, ...pages.shape };

/** One page of a list; nothing in it is ever missing. */
function page<Entry extends z.ZodType>(id: string, entry: Entry, more: z.ZodRawShape = {}) {
  return z
    .object({
      data: z.array(entry),
      has_more: z.boolean().meta({ description: "Whether another page follows." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Where the next page begins; null on the last. It never ends." }),
      ...more,
    })
    .meta({ id, description: "One page of a list." });
}

/** A workspace, or something in it, may be unknown. */
const problemsOfReading = { 404: problem, ...problemsOfAny } as const;

const reading = { key: "deliverability", scope: "intel.read" } as const satisfies Permission;
const writing = { key: "deliverability", scope: "intel.write" } as const satisfies Permission;

const BASE = "/api/deliverability/v1";

export const intel = c.router({
  listWorkspaces: {
    method: "GET",
    path: `${BASE}/workspaces`,
    summary: "List workspaces",
    description: "The one that the key opens: a key belongs to one workspace.",
    metadata: { permission: reading },
    query: z.strictObject(workspaceQuery),
    responses: { 200: page("WorkspacePage", workspace), 304: c.noBody(), ...problemsOfReading },
    strictStatusCodes: true,
  },
  listClients: {
    method: "GET",
    path: `${BASE}/clients`,
    summary: "List clients",
    description: "By name, archived ones among them.",
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
      "No two clients of a workspace have the same name, whatever the case of its letters, or the same `external_ref`.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("client-crm-4711", "makes no second client"),
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
      "What is given must all be met. With `id` or `name` it is one domain, or none; `include=checks` gives every check with its evidence and how to mend it.",
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
      "It is checked at once, and again and again. Anybody may watch what the DNS has for everybody; a workspace watches a domain once, whoever its client is.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("domain-example.com", "adds nothing twice"),
    query: z.strictObject(workspaceQuery),
    body: newWatchedDomain,
    responses: { 201: watchedDomain, 404: problem, ...problemsOfSubmission },
    strictStatusCodes: true,
  },
  listBlacklistStatus: {
    method: "GET",
    path: `${BASE}/blacklists/status`,
    summary: "List the status at blacklists",
    description:
      "How addresses and domains stand at each list, as of the last look: nothing is looked up for this answer. An `ip` or a `domain` that no domain of the workspace has is 404, for an empty list would read as clean.",
    metadata: { permission: reading },
    query: z.strictObject({
      ...pageQuery,
      ip: optionalText("Only this address.", "192.0.2.25"),
      domain: optionalText("Only this domain.", "example.com"),
      domain_id: optionalText("Only what concerns this domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      client_id: optionalText("Only what concerns domains of this client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      list: optionalText("Only this list, by its id.", "spamcop"),
      state: z
        .enum(["listed", "clean", "refused", "error", "unreliable", "pending", "not_configured"])
        .optional()
        .meta({ description: "Only these." }),
    }),
    responses: {
      200: page("BlacklistStatusPage", listing, {
        summary: z.record(z.string(), z.int()).meta({
          description: "How many there are by state, over all pages and whatever `state` is asked for.",
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
      "Of a workspace, a client or a domain. A report never changes: repeated with its `Idempotency-Key` the request is answered with the same bytes. `X-Report-Id` names it. A report of more than 100 domains, or one that is not ready within five seconds, is a job: the answer is 202, and `Location` answers with the report when it is ready.",
    metadata: { permission: writing },
    headers: idempotencyHeaders("report-2030-01", "makes no second report"),
    query: z.strictObject(workspaceQuery),
    body: reportRequest,
    // A document is no JSON: what it is the description tells, and the media type of the answer.
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
      "Answers with the report in the format in which it was generated, or with 202 while its job goes on. Reports are kept for 400 days, and jobs for 30 days after their end. Another workspace's report is 404.",
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
