import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { notFound } from "./not-found.ts";
import { FRAME_FOLDER, findScript } from "./script-files.ts";

/** Address of the frame, which the dashboard's page of the API reference contains. */
const FRAME_PATH = "/dashboard/reference-frame";

const YEAR_S = 365 * 86_400;

interface ReferenceFrameOptions {
  /** Output of the build: `index.html`, and its scripts with their compressed forms. */
  readonly folder?: string;
}

/**
 * Serves the document of the API reference to the dashboard. Scalar writes its styles into the document, so it has a
 * policy of its own, and an origin of its own without storage, cookies and network: the page of the dashboard sends its
 * requests.
 */
export async function referenceFrame(
  app: FastifyInstance,
  { folder = FRAME_FOLDER }: ReferenceFrameOptions,
): Promise<void> {
  if (!existsSync(path.join(folder, "index.html"))) return;
  const template = readFileSync(path.join(folder, "index.html"), "utf8");
  const files = new Set(readdirSync(folder));

  app.get(`${FRAME_PATH}/`, (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    reply.headers({
      "content-security-policy": policy(nonce),
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    return reply.type("text/html; charset=utf-8").send(template.replaceAll("CSP_NONCE", nonce));
  });
  app.get<{ Params: { readonly script: string } }>(`${FRAME_PATH}/:script`, async (request, reply) => {
    const { script } = request.params;
    if (path.extname(script) !== ".js" || !files.has(script)) throw notFound(request, reply);
    const { send } = await findScript(request, reply, { folder, files, name: script });
    reply.header("cache-control", `public, max-age=${YEAR_S}, immutable`);
    return send();
  });
}

/** The sandbox applies also to a user who opens the document without the dashboard. Its forms are never sent. */
function policy(nonce: string): string {
  return [
    "sandbox allow-scripts allow-forms allow-downloads",
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
