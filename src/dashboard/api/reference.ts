import type { ApiDocument } from "../reference-frame/messages.ts";
import { home } from "./client.ts";
import { Problem, problemOf } from "./problem.ts";

/** Address of the document of the public API. */
export const documentUrl = `${home}/openapi.json`;

/**
 * Loads the document of the public API, which needs no session. The browser caches it.
 * @throws Problem
 */
export async function loadReference(): Promise<ApiDocument> {
  const answer = await fetch(documentUrl, { credentials: "omit" }).catch(() => {
    throw new Problem({ code: "network", status: 0, detail: "Hermod cannot be reached." });
  });
  // A proxy may answer with a page of its own.
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok || !isDocument(body)) throw problemOf(answer.status, answer.headers, body);
  return body;
}

const isDocument = (body: unknown): body is ApiDocument =>
  typeof body === "object" && body !== null && "paths" in body && typeof body.paths === "object";
