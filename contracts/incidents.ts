import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { formResponses, linkAt, pageResponses } from "./common/link-page.ts";

const c = initContract();

const link = linkAt("/incident/:token");

/**
 * Where links lead that stand in mail about incidents. They are for people with a browser, who need neither key nor documentation: it
 * is no part of the public OpenAPI document. Browsers are told of a fault in a page of the same status.
 */
export const incidentLink = c.router({
  showIncidentLink: {
    ...link,
    method: "GET",
    summary: "A page about an incident",
    description: "Changes nothing: programs that check mail follow every link in it.",
    responses: pageResponses,
  },
  followIncidentLink: {
    ...link,
    method: "POST",
    summary: "Acknowledge or resolve an incident",
    description: "Doing it again changes nothing.",
    contentType: "application/x-www-form-urlencoded",
    body: z.object({ action: z.enum(["acknowledge", "resolve"]) }),
    responses: formResponses,
  },
});
