import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/u/:token");

/**
 * Routes of the links in List-Unsubscribe fields. Mailbox providers and recipients use them without a key, so they are not part
 * of the public OpenAPI document. A browser receives an error as a page with the same status.
 */
export const unsubscribe = c.router({
  showUnsubscribe: {
    ...link,
    method: "GET",
    summary: "Show the unsubscribe page",
    description: "Shows a page and changes nothing, because programs that scan mail follow every link.",
    responses: pageResponses,
  },
  unsubscribe: {
    ...link,
    method: "POST",
    summary: "Unsubscribe in one click (RFC 8058)",
    description:
      "Unsubscribes the recipient. The body may also be `multipart/form-data`. Repeating the request changes nothing.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    responses: formResponses,
  },
});
