import type { FastifyReply } from "fastify";

/** Hermod's own pages: its own script and style, no inline code, nothing from elsewhere, in no one's frame. */
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

/** What an iframe that shows a mail may do: open links that the reader follows, in a tab of their own. */
export const MAIL_SANDBOX = "allow-popups allow-popups-to-escape-sandbox";

/**
 * The html of a mail: an origin of its own, no script, no form, no request to anywhere. It holds in the inbox's
 * iframe and also when somebody opens the address by itself.
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

/** Files from a mail, and everything that is no page: should a browser show it, it can do nothing. */
export const FILE_CSP = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer; routes that serve a page put their own policy in place of this one. */
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
