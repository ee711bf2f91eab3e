import { type AppRoute, isStandardSchema } from "@ts-rest/core";
import type { oas31 } from "openapi3-ts";
import { z } from "zod";
import type { OperationTexts } from "./openapi-texts.ts";
import { needsReentry } from "./reentry.ts";
import { type SessionAccess, sessionRouteOf } from "./session-access.ts";

/** Parts of the dashboard document that its contracts do not contain. */
export const dashboardTexts = {
  info: {
    title: "Hermod dashboard",
    version: "1.0.0",
    description: [
      "API of the dashboard, for programs that act for a person: accounts, members, keys and other settings.",
      "To send mail, use the public API (`/openapi.json`) with a key.",
      "",
      "`POST /api/session` signs in and sets a cookie: `__Host-hermod` over HTTPS, `hermod` over HTTP. A token that a response",
      "sets replaces the previous one. A request that changes data must state its origin. Browsers do so in `Sec-Fetch-Site`.",
      "Other programs must send `Origin` with the base URL of this installation.",
      "",
      "Every error is a problem document (RFC 9457) with a stable `code`; [the error catalog](/docs/errors) lists them all.",
    ].join("\n"),
    contact: { name: "The operator of this installation" },
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  } satisfies oas31.InfoObject,

  /** The tag of each router, by its key in `dashboard`, in the order of the document. */
  tagOfRouter: {
    sessions: {
      name: "Session",
      description: "Signing in and out, and the other open sessions of the user.",
    },
    accounts: { name: "Account", description: "The selected account of the session." },
    users: {
      name: "Passwords, addresses and signing up",
      description: "Sign-up, passwords and e-mail addresses of users.",
    },
    factors: { name: "Factors", description: "Second factors, passkeys and sign-in providers of the user." },
    members: { name: "Members", description: "Members of the account and their roles." },
    invitations: { name: "Invitations", description: "Invitations to join the account." },
    keys: { name: "Keys", description: "API keys and SMTP credentials." },
    audits: { name: "Audit log", description: "Record of changes and of denied requests." },
    counters: { name: "Counters", description: "Numbers of message events over time." },
    requests: { name: "Requests", description: "Log of the requests made with API keys." },
    jobs: { name: "Jobs", description: "Long-running work in the background." },
    senders: { name: "Senders", description: "Verified addresses that mail may be sent from." },
    domains: {
      name: "Domains",
      description: "Sending domains, their verification, DKIM keys and DNS records.",
    },
    messages: { name: "Messages", description: "Messages and their delivery status." },
    live: { name: "Live", description: "Stream of message events." },
    policies: {
      name: "Routing policies",
      description: "Transports, limits and retries of messages, and an explanation of their effect.",
    },
    templates: {
      name: "Templates",
      description: "Message templates: drafts, numbered versions, previews and tests.",
    },
    suppressions: { name: "Suppressions", description: "Addresses that Hermod sends no mail to." },
    erasures: {
      name: "Erasures",
      description: "Removal of all data about one recipient, with a proof of it.",
    },
    webhooks: { name: "Webhooks", description: "Endpoints that Hermod posts events to." },
    deliveries: { name: "Webhook deliveries", description: "Deliveries of events to webhook endpoints." },
    rules: { name: "Alert rules", description: "Rules that decide which recipients are notified of alerts." },
    silences: {
      name: "Silences",
      description:
        "Silences, which suppress notifications during a time range, and inhibitions, which suppress them while another alert is active.",
    },
    oncalls: {
      name: "On-call schedules",
      description: "Rotations and overrides that decide which participant is notified of alerts.",
    },
    targets: {
      name: "Alert targets",
      description:
        "Webhooks, and channels of Slack and Microsoft Teams, that rules notify in addition to mail.",
    },
    heartbeats: {
      name: "Heartbeats",
      description: "Signals that jobs send regularly. A missing one raises an alert.",
    },
    workspaces: {
      name: "Workspaces",
      description: "Workspaces of Deliverability Intel and their clients.",
    },
    watches: {
      name: "Watched domains",
      description: "Watched domains, their deliverability and its changes.",
    },
    reports: {
      name: "Reports",
      description: "Reports about watched domains, and links that open them without a session.",
    },
    labels: {
      name: "Report labels",
      description: "Name, color and logo of the issuer of reports, for a workspace or a client.",
    },
    checks: { name: "Checks", description: "Catalogue of the checks of watched domains." },
    insights: {
      name: "Summaries of watched domains",
      description: "Findings, scores, blacklists, DMARC sources and mutes over many domains.",
    },
    schedules: {
      name: "Report schedules",
      description: "Schedules that generate and mail reports about watched domains.",
    },
    incidents: { name: "Incidents", description: "Incidents opened by alert rules, with their alerts." },
    installation: { name: "Installation", description: "Base URLs, sign-in methods and limits." },
    sandbox: { name: "Sandbox inbox", description: "Mail that the sandbox captured instead of sending it." },
  } satisfies Record<string, oas31.TagObject>,

  securitySchemes: {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-hermod",
      description: "Session cookie over HTTPS.",
    },
    plainSession: {
      type: "apiKey",
      in: "cookie",
      name: "hermod",
      description: "Session cookie without HTTPS, for use on the local machine only.",
    },
  } satisfies Record<string, oas31.SecuritySchemeObject>,

  textsOf: (name: string, route: AppRoute): OperationTexts => {
    const { access, documents } = sessionRouteOf(route);
    // The idempotency key is the only header parameter of a dashboard route.
    const headers = route.headers === undefined ? [] : ["Idempotent-Replayed"];
    return {
      description: [route.description, neededFor(access), needsReentry(name) && REENTRY]
        .filter(Boolean)
        .join("\n\n"),
      security: access === "anyone" ? [] : [{ session: [] }, { plainSession: [] }],
      success: Object.fromEntries(
        Object.entries(route.responses)
          .filter(([status]) => Number(status) < 400)
          .map(([status, body]) => [status, { description: descriptionOf(body), headers, documents }]),
      ),
    };
  },
};

const REENTRY =
  "Requires a sign-in factor presented within the last ten minutes. Otherwise the response is 403 `auth.reauthentication_required`: call `POST /api/session/reauthenticate`, then repeat the request.";

function neededFor(access: SessionAccess): string {
  if (access === "anyone") return "Requires no session.";
  if (access === "half_signed_in")
    return "Requires a session. The second factor or a new password may still be pending.";
  if (access === "before_second_factor") return "Requires a session. The second factor may still be pending.";
  if (access === "before_password_change") return "Requires a session. A new password may still be pending.";
  return access === "signed_in" ? "Requires a session." : `Requires the permission \`${access}\`.`;
}

function descriptionOf(response: unknown): string {
  const body = isOther(response) ? response.body : response;
  if (!isStandardSchema(body) || !(body instanceof z.ZodType)) return "The operation succeeded.";
  return body.description ?? "The operation succeeded.";
}

/** True for a response that is not JSON: see `otherResponse` of ts-rest. */
function isOther(response: unknown): response is { readonly contentType: string; readonly body: unknown } {
  return typeof response === "object" && response !== null && "contentType" in response;
}
