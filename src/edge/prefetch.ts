import type { FastifyRequest } from "fastify";

/**
 * Whether a browser or program fetches a page before a person asks for it: by the header of the Fetch standard, and by
 * those that clients have sent before it.
 */
export function isPrefetch(headers: FastifyRequest["headers"]): boolean {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]];
  return purposes.some((purpose) => /\b(?:prefetch|preview|prerender)\b/i.test(String(purpose ?? "")));
}
