import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { createGzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { oas31 } from "openapi3-ts";
import { ERRORS_PATH } from "../../contracts/common/problem-type.ts";
import type { Clock } from "../shared/clock.ts";
import { errorsPage } from "./errors-page.ts";

export interface ApiDocsOptions {
  /** The document of the public API as it is to be shown at a moment: the same on one day (UTC). */
  readonly documentAt: (now: Date) => oas31.OpenAPIObject;
  /** Writes that of the dashboard's API. */
  readonly dashboardDocument: () => oas31.OpenAPIObject;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;

/**
 * Nothing but this origin is ever asked for anything, so that the pages work without the internet and tell nobody
 * who reads them. Scalar writes its styles into the page, hence `unsafe-inline` for styles alone.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// Addresses are relative, so that the page also works behind a proxy that serves Hermod under a path.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hermod API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

// Requests are tried on the origin that showed the page, whatever name the document gives the installation.
const START = `const base = new URL(".", window.location.href).href.replace(/\\/$/, "");
Scalar.createApiReference("#app", {
  url: base + "/openapi.json",
  servers: [{ url: base }],
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "json",
  orderSchemaPropertiesBy: "preserve",
  authentication: { preferredSecurityScheme: "apiKeyHeader" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
`;

/**
 * Serves the OpenAPI documents at /openapi.json and /api/openapi.json, the rendering of the first at /docs and the error
 * catalogue at /docs/errors.
 */
export async function apiDocs(
  app: FastifyInstance,
  { documentAt, dashboardDocument, clock }: ApiDocsOptions,
): Promise<void> {
  const documentOfToday = createDaily(clock, (now) => JSON.stringify(documentAt(now)));
  // Written when somebody first asks: that takes longer than half a start.
  let ofDashboard: string | undefined;
  const errors = errorsPage();

  app.get("/openapi.json", (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    return sendText(request, reply, "application/json; charset=utf-8", documentOfToday());
  });
  app.get("/api/openapi.json", (request, reply) => {
    ofDashboard ??= JSON.stringify(dashboardDocument());
    return sendText(request, reply, "application/json; charset=utf-8", ofDashboard);
  });
  app.get("/docs", (request, reply) => sendText(request, reply, "text/html; charset=utf-8", PAGE));
  app.get("/docs/", (_request, reply) => reply.redirect("../docs", 308));
  app.get("/docs/start.js", (request, reply) => sendText(request, reply, "text/javascript", START));
  app.get("/docs/scalar.js", sendScalar);
  app.get(ERRORS_PATH, (request, reply) => sendText(request, reply, "text/html; charset=utf-8", errors));
}

/** Makes a text once a day (UTC). */
function createDaily(clock: Clock, make: (now: Date) => string): () => string {
  let cached = { day: Number.NaN, text: "" };
  return () => {
    const now = clock.now();
    const day = Math.floor(now.getTime() / DAY_MS);
    if (cached.day !== day) cached = { day, text: make(now) };
    return cached.text;
  };
}

function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  return isFresh(request, reply, etag) ? reply.code(304).send() : reply.type(type).send(text);
}

/** 3.5 MB of script, which hardly anybody asks for: streamed from its file, never held in memory. */
async function sendScalar(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const file = scalarFile();
  const { size, mtimeMs } = await stat(file);
  reply.header("vary", "accept-encoding");
  if (isFresh(request, reply, `W/"${size}-${mtimeMs}"`)) return reply.code(304).send();
  reply.type("text/javascript; charset=utf-8");
  const content = createReadStream(file);
  if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(content);
  const gzip = createGzip();
  content.once("error", (error) => gzip.destroy(error));
  return reply.header("content-encoding", "gzip").send(content.pipe(gzip));
}

/** The package's Fastify plugin would hold the script in memory: only its bundle is used. */
function scalarFile(): string {
  const require = createRequire(import.meta.url);
  const plugin = require.resolve("@scalar/fastify-api-reference");
  return path.join(path.dirname(plugin), "js", "standalone.js");
}

/** Sets what every answer of these pages carries; true: the client already has this version. */
function isFresh(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.headers({
    etag,
    "cache-control": "no-cache",
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  return (request.headers["if-none-match"] ?? "").split(/\s*,\s*/).includes(etag);
}
