import { type AppRoute, isStandardSchema } from "@ts-rest/core";
import type { oas31 } from "openapi3-ts";
import { z } from "zod";
import type { OperationTexts } from "./openapi-texts.ts";
import { needsReentry } from "./reentry.ts";
import { type SessionAccess, sessionRouteOf } from "./session-access.ts";

/** What the contracts of the dashboard cannot say. */
export const dashboardTexts = {
  info: {
    title: "Hermod dashboard",
    version: "1.0.0",
    description: [
      "What the dashboard does, for programs that act for a person: accounts, members, keys and what else people set up.",
      "To send mail, use the public API (`/openapi.json`) with a key.",
      "",
      "`POST /api/session` signs in and sets a cookie, `__Host-hermod` over HTTPS and `hermod` without. Each token that an answer",
      "sets takes the place of the one before. Requests that change anything say where they come from: browsers do by",
      "themselves (`Sec-Fetch-Site`), programs send `Origin` with the address of this installation.",
      "",
      "Every error is a problem document (RFC 9457) with a stable `code`; [the error catalogue](/docs/errors) lists them all.",
    ].join("\n"),
    contact: { name: "The operator of this installation" },
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  } satisfies oas31.InfoObject,

  /** The tag of each router, by its key in `dashboard`, in the order of the document. */
  tagOfRouter: {
    sessions: { name: "Session", description: "Signing in and out, and what is open elsewhere." },
    accounts: { name: "Account", description: "The account that the session looks at." },
    users: {
      name: "Passwords, addresses and signing up",
      description: "Users, before they have a session and with their own.",
    },
    factors: { name: "Factors", description: "Second factors, passkeys and providers of the user." },
    members: { name: "Members", description: "Who belongs to the account, and as what." },
    invitations: { name: "Invitations", description: "Who is to join the account." },
    keys: { name: "Keys", description: "API keys and SMTP credentials." },
    audits: { name: "Audit log", description: "Who did what, and was refused what." },
    counters: { name: "Counters", description: "How often something happened to messages, over time." },
    requests: { name: "Requests", description: "The log of the requests that were made with keys." },
    jobs: { name: "Jobs", description: "Long work that goes on in the background." },
    senders: { name: "Senders", description: "Addresses that mail may be sent from." },
    domains: {
      name: "Domains",
      description: "Sending domains: their proof, their keys, and their DNS records.",
    },
    messages: { name: "Messages", description: "What was sent, and what became of it." },
    live: { name: "Live", description: "What happens to messages, as it happens." },
    policies: { name: "Routing policies", description: "How messages leave, and what one would do." },
    templates: {
      name: "Templates",
      description: "Texts with variables: drafts, numbered versions, previews and tests.",
    },
    suppressions: { name: "Suppressions", description: "Addresses that nothing is sent to." },
    erasures: {
      name: "Erasures",
      description: "All that is stored about one recipient, removed, with a proof of it.",
    },
    webhooks: { name: "Webhooks", description: "Endpoints to which events are posted." },
    deliveries: { name: "Webhook deliveries", description: "Events on their way to webhook endpoints." },
    rules: { name: "Alert rules", description: "Who hears of alerts." },
    silences: {
      name: "Silences",
      description: "What is told to nobody, for a time or while something greater fires.",
    },
    workspaces: {
      name: "Workspaces",
      description: "Workspaces of Deliverability Intel, and the clients in them.",
    },
    watches: {
      name: "Watched domains",
      description: "How the deliverability of domains stands, and what has changed about it.",
    },
    schedules: {
      name: "Report schedules",
      description: "By which reports of watched domains are made and mailed.",
    },
    incidents: { name: "Incidents", description: "What rules tell of, and the alerts that led to it." },
    installation: { name: "Installation", description: "Addresses, ways to sign in and limits." },
    sandbox: { name: "Sandbox inbox", description: "Mail that was captured in place of being sent." },
  } satisfies Record<string, oas31.TagObject>,

  securitySchemes: {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-hermod",
      description: "A session, over HTTPS.",
    },
    plainSession: {
      type: "apiKey",
      in: "cookie",
      name: "hermod",
      description: "A session, without HTTPS: for this machine alone.",
    },
  } satisfies Record<string, oas31.SecuritySchemeObject>,

  textsOf: (name: string, route: AppRoute): OperationTexts => {
    const { access, documents } = sessionRouteOf(route);
    // The only header that a route of the dashboard takes is the idempotency key.
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
  "Needs a factor shown in the last ten minutes, else 403 `auth.reauthentication_required`: `POST /api/session/reauthenticate`, then repeat the request.";

function neededFor(access: SessionAccess): string {
  if (access === "anyone") return "Needs no session.";
  if (access === "half_signed_in")
    return "Needs a session, which may still wait for its second factor or a new password.";
  if (access === "before_second_factor")
    return "Needs a session, which may still wait for its second factor.";
  if (access === "before_password_change") return "Needs a session, which may still wait for a new password.";
  return access === "signed_in" ? "Needs a session." : `Needs the permission \`${access}\`.`;
}

function descriptionOf(response: unknown): string {
  const body = isOther(response) ? response.body : response;
  if (!isStandardSchema(body) || !(body instanceof z.ZodType)) return "It is done.";
  return body.description ?? "It is done.";
}

/** It is no JSON: see `otherResponse` of ts-rest. */
function isOther(response: unknown): response is { readonly contentType: string; readonly body: unknown } {
  return typeof response === "object" && response !== null && "contentType" in response;
}
