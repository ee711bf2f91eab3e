import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/sender/:token");

/**
 * Routes of the links that verify a sender address. People open them in a browser without a key, so they are not part of the
 * public OpenAPI document. A browser receives an error as a page with the same status.
 */
export const senderLink = c.router({
  showSenderLink: {
    ...link,
    method: "GET",
    summary: "Show the confirmation page for a sender address",
    description: "Shows a page and changes nothing, because programs that scan mail follow every link.",
    responses: pageResponses,
  },
  confirmSender: {
    ...link,
    method: "POST",
    summary: "Confirm a sender address",
    description: "Verifies the address, so that the account may send from it. A link works once.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ confirm: z.literal("yes") }),
    responses: formResponses,
  },
});
