import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { oas30, oas31 } from "openapi3-ts";
import { ERRORS_PATH } from "../../contracts/common/problem-type.ts";
import type { Clock } from "../shared/clock.ts";
import { type ContentCoding, compress, preferredCoding } from "./content-coding.ts";
import { errorsPage } from "./errors-page.ts";
import { findScript, scalarFiles } from "./script-files.ts";

export interface ApiDocsOptions {
  /** The document of the public API as it is to be shown at a moment: the same on one day (UTC). */
  readonly documentAt: (now: Date) => oas31.OpenAPIObject;
  /** The same for generators of clients. */
  readonly openApi30At: (now: Date) => oas30.OpenAPIObject;
  /** Writes that of the dashboard's API. */
  readonly dashboardDocument: () => oas31.OpenAPIObject;
  /** Lets sessions read the document of the dashboard's API. @throws Fault auth.session_missing, auth.session_invalid */
  readonly requireSession: (request: FastifyRequest) => Promise<void>;
  readonly clock: Clock;
  /** Where the bare address of an installation leads, relative to it. */
  readonly homePath: string;
}

const DAY_MS = 86_400_000;

/**
 * Only this origin is contacted, so that the pages work without the internet and reveal their readers to no other
 * server. Scalar writes its styles into the page, so `unsafe-inline` is allowed only for styles.
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
 * Leads from / to the dashboard, and serves the OpenAPI documents at /openapi.json, /openapi-3.0.json and /api/openapi.json, the rendering of the first at
 * /docs and the error catalogue at /docs/errors.
 */
export async function apiDocs(
  app: FastifyInstance,
  { documentAt, openApi30At, dashboardDocument, requireSession, clock, homePath }: ApiDocsOptions,
): Promise<void> {
  const documentOfToday = createDaily(clock, (now) => packed(JSON.stringify(documentAt(now))));
  const openApi30OfToday = createDaily(clock, (now) => packed(JSON.stringify(openApi30At(now))));
  // Written for the first request: that takes longer than half a start.
  let ofDashboard: Packed | undefined;
  const errors = errorsPage();
  const scalar = scalarFiles();

  const published = { "/openapi.json": documentOfToday, "/openapi-3.0.json": openApi30OfToday };
  for (const [url, packedOf] of Object.entries(published)) {
    app.get(url, (request, reply) => {
      reply.header("access-control-allow-origin", "*");
      return sendPacked(request, reply, packedOf());
    });
  }
  app.get("/api/openapi.json", async (request, reply) => {
    await requireSession(request);
    ofDashboard ??= packed(JSON.stringify(dashboardDocument()));
    return sendPacked(request, reply, ofDashboard);
  });
  app.get("/", (_request, reply) => reply.redirect(homePath, 302));
  app.get("/docs", (request, reply) => sendText(request, reply, "text/html; charset=utf-8", PAGE));
  app.get("/docs/", (_request, reply) => reply.redirect("../docs", 308));
  app.get("/docs/start.js", (request, reply) => sendText(request, reply, "text/javascript", START));
  app.get("/docs/scalar.js", async (request, reply) => {
    const { etag, send } = await findScript(request, reply, scalar);
    return isFresh(request, reply, etag) ? reply.code(304).send() : send();
  });
  app.get(ERRORS_PATH, (request, reply) => sendText(request, reply, "text/html; charset=utf-8", errors));
}

/** Makes a document once a day (UTC). */
function createDaily<T>(clock: Clock, make: (now: Date) => T): () => T {
  let cached: { readonly day: number; readonly document: T } | undefined;
  return () => {
    const now = clock.now();
    const day = Math.floor(now.getTime() / DAY_MS);
    if (cached?.day !== day) cached = { day, document: make(now) };
    return cached.document;
  };
}

/** A JSON document, compressed once in each coding for all requests, outside the main thread. */
interface Packed {
  readonly text: string;
  readonly etag: string;
  readonly compressed: (coding: ContentCoding) => Promise<Buffer>;
}

function packed(text: string): Packed {
  const etag = createHash("sha256").update(text).digest("base64url");
  const codings = new Map<ContentCoding, Promise<Buffer>>();
  const compressed = (coding: ContentCoding) => {
    const bytes = codings.get(coding) ?? compress[coding](Buffer.from(text));
    codings.set(coding, bytes);
    return bytes;
  };
  // Before it is asked for; a failure is reported to each request that waits for it.
  compressed("gzip").catch(() => undefined);
  return { text, etag, compressed };
}

async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag, compressed }: Packed,
): Promise<FastifyReply> {
  const coding = preferredCoding(request.headers["accept-encoding"]);
  reply.header("vary", "accept-encoding");
  if (isFresh(request, reply, `"${etag}${coding ? `-${coding}` : ""}"`)) return reply.code(304).send();
  reply.type("application/json; charset=utf-8");
  return coding ? reply.header("content-encoding", coding).send(await compressed(coding)) : reply.send(text);
}

function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  return isFresh(request, reply, etag) ? reply.code(304).send() : reply.type(type).send(text);
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
  const known = (request.headers["if-none-match"] ?? "").split(",");
  return known.some((tag) => tag.trim() === etag);
}
