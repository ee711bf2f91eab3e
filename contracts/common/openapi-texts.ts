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

/** Parts of the OpenAPI document that the contracts do not contain: texts, examples and headers. */

export const info: oas31.InfoObject = {
  title: "Hermod",
  version: "1.0.0",
  description: [
    "Send transactional e-mail and track the delivery of every message.",
    "",
    "Every request carries an API key, in `X-API-Key` or in `Authorization: Bearer`. A tool that cannot set headers may send the key",
    "as the query parameter `api_key`. Prefer a header, because proxies and browsers log URLs.",
    "",
    "To generate a client, use [the OpenAPI 3.0.3 document](/openapi-3.0.json) of the same API.",
    "",
    "Every error is a problem document (RFC 9457) with a stable `code`;",
    "[the error catalog](/docs/errors) lists them all. `sx_trace_id` identifies a request in logs and webhooks.",
    "Quote it when you ask for support.",
  ].join("\n"),
  contact: { name: "The operator of this installation" },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

/** Tag of each public router, by its key in `api`, in the order of the document. */
export const tagOfRouter: Readonly<Record<string, oas31.TagObject>> = {
  emails: { name: "Email", description: "Sending transactional e-mail and reading its delivery status." },
  alerts: {
    name: "Alerts",
    description: "Ingesting alerts. The alert rules of the account decide which recipients are notified.",
  },
  intel: {
    name: "Deliverability Intel",
    description:
      "Monitoring the deliverability of domains. A workspace has clients, and a client has domains. A deliverability key has access to one workspace.",
  },
};

export interface OperationTexts {
  /** Default: the description in the contract. */
  readonly description?: string;
  readonly security: readonly oas31.SecurityRequirementObject[];
  /** @param now current time, if it is known */
  readonly requestExamples?: (now: Date | undefined) => oas31.ExamplesObject;
  /** Examples and headers of the success responses, by status. */
  readonly success: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly headers?: readonly string[];
        readonly examples?: oas31.ExamplesObject;
        /** Default: the schema in the contract. */
        readonly schema?: z.ZodType;
        /** Other media types than JSON, each with a description. */
        readonly documents?: Readonly<Record<string, string>> | undefined;
      }
    >
  >;
}

/**
 * Either of the two headers. The same key in both is accepted; two different keys are rejected. The query parameter `api_key` is
 * only described in text: with a scheme for it, generated clients would put the key into every URL, and so into every log.
 */
const accountKey = [{ apiKeyHeader: [] }, { bearer: [] }];

const sendEmail: OperationTexts = {
  security: accountKey,
  requestExamples: sendEmailRequestExamples,
  success: {
    202: {
      description: "The message is stored on disk and will be delivered.",
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
      description: "The alert and its results are stored on disk.",
      headers: ["Idempotent-Replayed", "RateLimit-Policy", "RateLimit"],
      examples: alertAcceptedExamples,
    },
  },
};

const rateLimitHeaders = ["RateLimit-Policy", "RateLimit"];

const listEmails: OperationTexts = {
  security: accountKey,
  success: {
    200: { description: "Page of messages.", headers: rateLimitHeaders, examples: emailPageExamples },
  },
};

const getEmail: OperationTexts = {
  security: accountKey,
  success: {
    200: {
      description: "Message with its timeline.",
      headers: rateLimitHeaders,
      examples: emailWithTimelineExamples,
    },
  },
};

const cancelEmail: OperationTexts = {
  security: accountKey,
  success: {
    200: {
      description: "Cancelled message.",
      headers: rateLimitHeaders,
      examples: cancelledEmailExamples,
    },
  },
};

const deliverabilityKey = [{ deliverabilityKey: [] }];
const listHeaders = ["ETag", ...rateLimitHeaders];
const NOT_MODIFIED = { 304: { description: "The response has not changed since the one with this `ETag`." } };

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
      description: "The client was created.",
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
      description: "The domain was added. Its first check follows within seconds.",
      headers: ["Idempotent-Replayed", ...rateLimitHeaders],
      examples: domainExamples,
    },
  },
};

const REPORT_DOCUMENTS = {
  "text/html": "HTML page without external resources.",
  "application/pdf": "PDF document.",
} as const;
const REPORT_UNDER_WAY = {
  description: "The report is not ready. Request `Location` again after the time in `Retry-After`.",
  headers: ["Location", "Retry-After", "X-Report-Id", ...rateLimitHeaders],
} as const;

const getReport: OperationTexts = {
  security: deliverabilityKey,
  success: {
    200: {
      description: "Report in the format in which it was generated.",
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
        "Report: JSON or, depending on `format`, an HTML page (`text/html`) or a PDF (`application/pdf`).",
      headers: ["Idempotent-Replayed", "X-Report-Id", "Content-Disposition", ...rateLimitHeaders],
      schema: intelReport,
      documents: REPORT_DOCUMENTS,
    },
    202: REPORT_UNDER_WAY,
  },
};

/** Texts by operationId, which is the key of the route in its router. */
export const operationTexts: Readonly<Record<string, OperationTexts>> = {
  sendEmail,
  sendEmailAlias: sendEmail,
  ingestAlert,
  listEmails,
  getEmail,
  cancelEmail,
  listWorkspaces: intelList("Workspace of the key.", workspacePageExamples),
  listClients: intelList("Page of clients.", clientPageExamples),
  createClient,
  listDomains: intelList("Page of domains.", domainPageExamples),
  addDomain,
  listBlacklistStatus: intelList("Page of addresses and domains at blacklists.", blacklistStatusExamples),
  generateReport,
  getReport,
};

export const securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>> = {
  apiKeyHeader: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Account key (`hm_live_…`). Recommended.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "Account key, as `Authorization: Bearer hm_live_…`.",
  },
  deliverabilityKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Deliverability key (`hm_dlv_…`). Only this header is accepted.",
  },
};

const text = (description: string, example: string): oas31.HeaderObject => ({
  description,
  schema: { type: "string" },
  example,
});

export const headers: Readonly<Record<string, oas31.HeaderObject>> = {
  Allow: text("Methods that the path supports.", "POST"),
  "Content-Disposition": text(
    "Suggested file name (RFC 6266).",
    'attachment; filename="deliverability-example.com-2030-01-31.pdf"',
  ),
  ETag: text(
    "Version of the response. A request with this value in `If-None-Match` answers 304 if nothing has changed.",
    '"Vq1nZ0s3oJ5m8wYd2hXc4bLt7kR"',
  ),
  Location: text("Path of the report.", "/api/deliverability/v1/reports/rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  "X-Report-Id": text("Id of the report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  "Idempotent-Replayed": {
    description:
      "Present if this is the stored response to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  RateLimit: text(
    "Remaining quota: `r` requests until the window ends in `t` seconds. Absent if no limit is set.",
    '"key";r=9999;t=1',
  ),
  "RateLimit-Policy": text(
    "Limits of the key and of the account: `q` requests in `w` seconds. Absent if no limit is set.",
    '"key";q=10000;w=1, "account";q=10000;w=1',
  ),
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
  "WWW-Authenticate": text(
    "Required authentication scheme (RFC 9110 section 11.6.1).",
    'Bearer realm="hermod"',
  ),
};
