import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { problem } from "./problem.ts";

const c = initContract();

const page = c.otherResponse({ contentType: "text/html; charset=utf-8", body: z.string() });

/** Route of a link in an e-mail. Its token holds the purpose of the link. */
export function linkAt<Path extends string>(path: Path) {
  return { path, pathParams: z.object({ token: z.string() }), strictStatusCodes: true } as const;
}

/** Responses of the page that a link opens. */
export const pageResponses = { 200: page, 404: problem, 500: problem, 503: problem } as const;

/** Responses to the form of that page. */
export const formResponses = { ...pageResponses, 413: problem, 415: problem, 422: problem } as const;
