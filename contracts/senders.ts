import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/sender/:token");

/**
 * Where links lead that verify an address. They are for people with a browser, who need neither key nor documentation: it is
 * no part of the public OpenAPI document. Browsers are told of a fault in a page of the same status.
 */
export const senderLink = c.router({
  showSenderLink: {
    ...link,
    method: "GET",
    summary: "A page that asks whether mail may be sent from an address",
    description: "Changes nothing: programs that check mail follow every link in it.",
    responses: pageResponses,
  },
  confirmSender: {
    ...link,
    method: "POST",
    summary: "Let an account send from an address",
    description: "A link does so once.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ confirm: z.literal("yes") }),
    responses: formResponses,
  },
});
