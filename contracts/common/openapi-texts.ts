import type { oas31 } from "openapi3-ts";
import type { z } from "zod";
import { alertAcceptedExamples, ingestAlertExamples } from "./alert-examples.ts";
import { cancelledEmailExamples, emailPageExamples, emailWithTimelineExamples } from "./email-examples.ts";
import {
  blacklistStatusExamples,
  clientExamples,
  clientPageExamples,
  domainExamples,
  domainPageExamples,
  newClientExamples,
  newDomainExamples,
  reportRequestExamples,
  workspacePageExamples,
} from "./intel-examples.ts";
import { intelReport } from "./intel-report-schemas.ts";
import { sendEmailAcceptedExamples, sendEmailRequestExamples } from "./send-email-examples.ts";

/** What the contracts cannot say: the words, examples and headers of the OpenAPI document. */

export const info: oas31.InfoObject = {
  title: "Hermod",
  version: "1.0.0",
  description: [
    "Send transactional e-mail and know what became of every message.",
    "",
    "Every request carries an API key: `X-API-Key` or `Authorization: Bearer`. A tool that can set no header may give it",
    "as the query parameter `api_key` instead; proxies and browsers keep addresses in their logs, so prefer a header.",
    "",
    "To generate a client, use [the OpenAPI 3.0.3 document](/openapi-3.0.json) of the same API.",
    "",
    "Every error is a problem document (RFC 9457) with a stable `code`;",
    "[the error catalogue](/docs/errors) lists them all. `sx_trace_id` names a request in logs and webhooks:",
    "quote it when you ask about one.",
  ].join("\n"),
  contact: { name: "The operator of this installation" },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

/** The tag of each public router, by its key in `api`, in the order of the document. */
export const tagOfRouter: Readonly<Record<string, oas31.TagObject>> = {
  emails: { name: "Email", description: "Sending transactional e-mail, and what became of it." },
  alerts: { name: "Alerts", description: "Feeding in alerts, of which the account's rules tell people." },
  intel: {
    name: "Deliverability Intel",
    description:
      "Watching the deliverability of domains: a workspace has clients, and these have domains. A deliverability key opens one workspace.",
  },
};

export interface OperationTexts {
  /** Missing: the contract's own. */
  readonly description?: string;
  readonly security: readonly oas31.SecurityRequirementObject[];
  /** @param now when the document is read; missing: nobody knows */
  readonly requestExamples?: (now: Date | undefined) => oas31.ExamplesObject;
  /** Examples and headers of the answers that are no problem, by status. */
  readonly success: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly headers?: readonly string[];
        readonly examples?: oas31.ExamplesObject;
        /** Missing: the contract's own. */
        readonly schema?: z.ZodType;
        /** Media types besides JSON, each with what it is. */
        readonly documents?: Readonly<Record<string, string>> | undefined;
      }
    >
  >;
}

/**
 * Either of them: the same key in two places is accepted, two different keys are refused. The query parameter
 * `api_key` is left to words: of a scheme, generated clients make a key in every address, and so in every log.
 */
const accountKey = [{ apiKeyHeader: [] }, { bearer: [] }];

const sendEmail: OperationTexts = {
  security: accountKey,
  requestExamples: sendEmailRequestExamples,
  success: {
    202: {
      description: "The message is safely on disk and will be delivered.",
      headers: ["Idempotent-Replayed", "RateLimit-Policy", "RateLimit"],
      examples: sendEmailAcceptedExamples,
    },
  },
};

const ingestAlert: OperationTexts = {
  security: accountKey,
  requestExamples: () => ingestAlertExamples,
  success: {
    202: {
      description: "The alert is safely on disk, with all that follows from it.",
      headers: ["Idempotent-Replayed", "RateLimit-Policy", "RateLimit"],
      examples: alertAcceptedExamples,
    },
  },
};

const rateLimitHeaders = ["RateLimit-Policy", "RateLimit"];

const listEmails: OperationTexts = {
  security: accountKey,
  success: {
    200: { description: "One page of messages.", headers: rateLimitHeaders, examples: emailPageExamples },
  },
};

const getEmail: OperationTexts = {
  security: accountKey,
  success: {
    200: {
      description: "The message, with its timeline.",
      headers: rateLimitHeaders,
      examples: emailWithTimelineExamples,
    },
  },
};

const cancelEmail: OperationTexts = {
  security: accountKey,
  success: {
    200: {
      description: "The message is cancelled.",
      headers: rateLimitHeaders,
      examples: cancelledEmailExamples,
    },
  },
};

const deliverabilityKey = [{ deliverabilityKey: [] }];
const listHeaders = ["ETag", ...rateLimitHeaders];
const NOT_MODIFIED = { 304: { description: "Nothing has changed since the answer with this `ETag`." } };

function intelList(description: string, examples: oas31.ExamplesObject): OperationTexts {
  return {
    security: deliverabilityKey,
    success: { 200: { description, headers: listHeaders, examples }, ...NOT_MODIFIED },
  };
}

const createClient: OperationTexts = {
  security: deliverabilityKey,
  requestExamples: () => newClientExamples,
  success: {
    201: {
      description: "The client is there.",
      headers: ["Idempotent-Replayed", ...rateLimitHeaders],
      examples: clientExamples,
    },
  },
};

const addDomain: OperationTexts = {
  security: deliverabilityKey,
  requestExamples: () => newDomainExamples,
  success: {
    201: {
      description: "The domain is watched from now on, and is checked in a moment.",
      headers: ["Idempotent-Replayed", ...rateLimitHeaders],
      examples: domainExamples,
    },
  },
};

const REPORT_DOCUMENTS = {
  "text/html": "One page, with all that it needs.",
  "application/pdf": "For people to keep.",
} as const;
const REPORT_UNDER_WAY = {
  description: "The report is not ready. `Retry-After` says when to ask `Location` for it.",
  headers: ["Location", "Retry-After", "X-Report-Id", ...rateLimitHeaders],
} as const;

const getReport: OperationTexts = {
  security: deliverabilityKey,
  success: {
    200: {
      description: "The report, in the format in which it was generated.",
      headers: ["X-Report-Id", "Content-Disposition", ...rateLimitHeaders],
      schema: intelReport,
      documents: REPORT_DOCUMENTS,
    },
    202: REPORT_UNDER_WAY,
  },
};

const generateReport: OperationTexts = {
  security: deliverabilityKey,
  requestExamples: () => reportRequestExamples,
  success: {
    201: {
      description:
        "The report: as JSON, or with `format` as one HTML page (`text/html`) or a PDF (`application/pdf`).",
      headers: ["Idempotent-Replayed", "X-Report-Id", "Content-Disposition", ...rateLimitHeaders],
      schema: intelReport,
      documents: REPORT_DOCUMENTS,
    },
    202: REPORT_UNDER_WAY,
  },
};

/** By operationId, which is the key of the route in its router. */
export const operationTexts: Readonly<Record<string, OperationTexts>> = {
  sendEmail,
  sendEmailAlias: sendEmail,
  ingestAlert,
  listEmails,
  getEmail,
  cancelEmail,
  listWorkspaces: intelList("The workspace of the key.", workspacePageExamples),
  listClients: intelList("One page of clients.", clientPageExamples),
  createClient,
  listDomains: intelList("One page of domains.", domainPageExamples),
  addDomain,
  listBlacklistStatus: intelList("One page of subjects at lists.", blacklistStatusExamples),
  generateReport,
  getReport,
};

export const securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>> = {
  apiKeyHeader: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "An account key (`hm_live_…`). Recommended.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The same account key, as `Authorization: Bearer hm_live_…`.",
  },
  deliverabilityKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A deliverability key (`hm_dlv_…`): in this header alone.",
  },
};

const text = (description: string, example: string): oas31.HeaderObject => ({
  description,
  schema: { type: "string" },
  example,
});

export const headers: Readonly<Record<string, oas31.HeaderObject>> = {
  Allow: text("The methods that the path takes.", "POST"),
  "Content-Disposition": text(
    "What a file of it may be called (RFC 6266).",
    'attachment; filename="deliverability-example.com-2030-01-31.pdf"',
  ),
  ETag: text(
    "Names this answer: send it as `If-None-Match`, and get 304 as long as nothing has changed.",
    '"Vq1nZ0s3oJ5m8wYd2hXc4bLt7kR"',
  ),
  Location: text("Path of the report.", "/api/deliverability/v1/reports/rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  "X-Report-Id": text("Id of the report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  "Idempotent-Replayed": {
    description:
      "Present when this is the stored answer to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  RateLimit: text(
    "What is left: `r` requests until the window ends in `t` seconds. Absent when no limit is set.",
    '"key";r=9999;t=1',
  ),
  "RateLimit-Policy": text(
    "The limits of the key and of the account: `q` requests in `w` seconds. Absent when no limit is set.",
    '"key";q=10000;w=1, "account";q=10000;w=1',
  ),
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  "WWW-Authenticate": text("How a key is sent (RFC 9110 section 11.6.1).", 'Bearer realm="hermod"'),
};
