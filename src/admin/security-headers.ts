import type { FastifyReply } from "fastify";

/** Policy of Hermod's own pages: its own scripts and styles, no inline code, no other origins, no framing. */
export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** Permissions of an iframe with a mail: links that the reader follows open in a new tab. */
export const MAIL_SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

/**
 * Policy of the html of a mail: its own origin, no scripts, no forms, no requests. It applies in the iframe of the
 * inbox and when a person opens the address directly.
 */
export const MAIL_CSP = [
  `sandbox ${MAIL_SANDBOX}`,
  "default-src 'none'",
  "img-src data:",
  "font-src data:",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Policy of files from a mail and all responses that are not pages: they can do nothing in a browser. */
export const FILE_CSP = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Headers of every response; routes that serve a page replace the policy. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.headers({
    "cache-control": "no-store",
    "content-security-policy": FILE_CSP,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
  });
}
