import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/u/:token");

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
    responses: pageResponses,
  },
  unsubscribe: {
    ...link,
    method: "POST",
    summary: "Unsubscribe in one click (RFC 8058)",
    description: "Also as `multipart/form-data`. Doing it again changes nothing.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    responses: formResponses,
  },
});
