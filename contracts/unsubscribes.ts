import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { problem } from "./common/problem.ts";

const c = initContract();

const page = c.otherResponse({ contentType: "text/html; charset=utf-8", body: z.string() });

const link = {
  path: "/u/:token",
  pathParams: z.object({ token: z.string() }),
  strictStatusCodes: true,
} as const;

/**
 * Where the links of List-Unsubscribe fields lead. Made for mailbox providers and recipients, who need neither key nor
 * documentation: it is no part of the public OpenAPI document. Browsers are told of a fault in a page of the same status.
 */
export const unsubscribe = c.router({
  showUnsubscribe: {
    ...link,
    method: "GET",
    summary: "A page that asks before it unsubscribes",
    description: "Changes nothing: programs that check mail follow every link in it.",
    responses: { 200: page, 404: problem, 500: problem, 503: problem },
  },
  unsubscribe: {
    ...link,
    method: "POST",
    summary: "Unsubscribe in one click (RFC 8058)",
    description: "Also as `multipart/form-data`. Doing it again changes nothing.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    responses: {
      200: page,
      404: problem,
      413: problem,
      415: problem,
      422: problem,
      500: problem,
      503: problem,
    },
  },
});
