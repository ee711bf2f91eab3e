import type { FastifyRequest } from "fastify";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

/**
 * The html of a mail: an origin of its own, no script, no form, no request to anywhere. It holds in a frame of the dashboard, and also
 * when somebody opens the address by itself.
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
 * What comes from mails is for the pages of this installation, and for whoever types the address: another site may not have a browser
 * fetch it, though it changes nothing.
 * @throws Fault request.cross_site
 */
export function checkPreviewOrigin({ headers }: Pick<FastifyRequest, "headers">): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw fault("request.cross_site", {
    public: say("request_comes_from_elsewhere_sec_fetch", { site }),
  });
}
