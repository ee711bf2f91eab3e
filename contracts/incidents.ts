import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/incident/:token");

/**
 * Routes of the links in incident e-mails. People open them in a browser without a key, so they are not part of the public OpenAPI
 * document. A browser receives an error as a page with the same status.
 */
export const incidentLink = c.router({
  showIncidentLink: {
    ...link,
    method: "GET",
    summary: "Show an incident",
    description: "Shows a page and changes nothing, because programs that scan mail follow every link.",
    responses: pageResponses,
  },
  followIncidentLink: {
    ...link,
    method: "POST",
    summary: "Acknowledge or resolve an incident",
    description: "Acknowledges or resolves the incident. Repeating the request changes nothing.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ action: z.enum(["acknowledge", "resolve"]) }),
    responses: formResponses,
  },
});
