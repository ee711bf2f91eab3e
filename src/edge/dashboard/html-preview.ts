import type { FastifyRequest } from "fastify";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

/**
 * Policy of the HTML of a mail: a separate origin, no scripts, no forms, no requests. It applies in a frame of the
 * dashboard and when the URL is opened directly.
 */
const PREVIEW_CSP = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Should a browser show a file after all, it can do nothing. */
const FILE_CSP = "sandbox; default-src 'none'; frame-ancestors 'none'";

interface Reply {
  header(name: string, value: string): unknown;
}

/** For an answer with the html of a mail. */
export function setPreviewHeaders(reply: Reply): void {
  setMailHeaders(reply, PREVIEW_CSP);
}

/** For an answer with a file of a mail. @param disposition its Content-Disposition */
export function setFileHeaders(reply: Reply, disposition: string): void {
  setMailHeaders(reply, FILE_CSP);
  reply.header("content-disposition", disposition);
}

function setMailHeaders(reply: Reply, policy: string): void {
  reply.header("content-security-policy", policy);
  reply.header("cross-origin-resource-policy", "same-origin");
  reply.header("referrer-policy", "no-referrer");
  reply.header("x-dns-prefetch-control", "off");
}

/**
 * Content of mails is only for the pages of this installation, and for a user who enters the URL. Another site must not
 * make a browser fetch it, even though it changes nothing.
 * @throws Fault request.cross_site
 */
export function checkPreviewOrigin({ headers }: Pick<FastifyRequest, "headers">): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw fault("request.cross_site", {
    public: say("request_comes_from_elsewhere_sec_fetch", { site }),
  });
}
