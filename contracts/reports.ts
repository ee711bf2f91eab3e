import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { linkAt, pageResponses } from "./common/link-page.ts";
import { problem } from "./common/problem.ts";

const c = initContract();

const responses = { ...pageResponses, 409: problem, 422: problem, 429: problem } as const;

/**
 * Routes of the links to reports. People open them in a browser without a key, so they are not part of the public OpenAPI document.
 * A browser receives an error as a page with the same status.
 */
export const reportLink = c.router({
  showReport: {
    ...linkAt("/report/:token"),
    method: "GET",
    summary: "Show a report",
    description: "Shows a report with a link to its PDF, and counts the opening.",
    responses,
  },
  downloadReport: {
    ...linkAt("/report/:token/pdf"),
    method: "GET",
    summary: "Download a report",
    description: "Returns the PDF of a report, and counts the download.",
    responses: {
      ...responses,
      200: c.otherResponse({ contentType: "application/pdf", body: z.unknown() }),
    },
  },
});
