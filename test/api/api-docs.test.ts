import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { problemType } from "../../contracts/common/problem-type.ts";
import { dashboardDocument, openApi30Document, openApiDocument } from "../../contracts/openapi.ts";
import { apiDocs } from "../../src/edge/api-docs.ts";
import { fault } from "../../src/shared/fault.ts";

const app = fastify();
const documentAt = (now: Date) => openApiDocument({ serverUrl: "https://mail.example.com", now });
const openApi30At = (now: Date) => openApi30Document({ serverUrl: "https://mail.example.com", now });
let now = new Date("2026-11-21T12:00:00Z");
const ofDashboard = () => dashboardDocument({ serverUrl: "https://mail.example.com" });
const clock = { now: () => now, monotonicMs: () => 0 };
const requireSession = async ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => {
  if (headers.cookie !== "hermod=ada") throw fault("auth.session_missing");
};
const cookie = "hermod=ada";
const documents = { documentAt, openApi30At, dashboardDocument: ofDashboard };
beforeAll(() => app.register(apiDocs, { ...documents, requireSession, clock, homePath: "dashboard/" }));

describe.each([
  ["/openapi.json", documentAt],
  ["/openapi-3.0.json", openApi30At],
])("%s", (url, written) => {
  it("is the document, for pages of any origin", async () => {
    const answer = await app.inject(url);
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(written(now))));
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "content-type": "application/json; charset=utf-8",
    });
  });

  it("is renewed every day, so that the times of its examples are in the future", async () => {
    now = new Date("2026-11-21T12:00:00Z");
    const before = (await app.inject(url)).body;
    expect(before).toContain("2026-11-23T09:00:00Z");
    now = new Date("2028-02-28T23:59:59Z");
    const after = (await app.inject(url)).body;
    expect(after).toContain("2028-03-01T09:00:00Z");
    expect(after).not.toContain("2026-11-23");
  });

  it("is not sent again to a client that has it", async () => {
    const { headers } = await app.inject(url);
    const again = await app.inject({ url, headers: { "if-none-match": String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });
});

describe("/api/openapi.json", () => {
  it("is the document of the dashboard, for its own pages only", async () => {
    const answer = await app.inject({ url: "/api/openapi.json", headers: { cookie } });
    expect(answer.json()).toEqual(ofDashboard());
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("is closed to requests without a session", async () => {
    const answer = await app.inject("/api/openapi.json");
    expect(answer.statusCode).not.toBe(200);
    expect(answer.body).not.toContain("openapi");
  });
});

describe.each(["/openapi.json", "/api/openapi.json"])("%s, compressed", (url) => {
  const get = (headers: Readonly<Record<string, string>>) =>
    app.inject({ url, headers: { cookie, ...headers } });

  it("is sent with gzip to clients that accept it, and has an ETag of its own", async () => {
    const [plain, small] = [await get({}), await get({ "accept-encoding": "gzip, br;q=0.5" })];
    expect(small.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body);
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    expect(small.headers.etag).not.toBe(plain.headers.etag);
    const again = await get({ "accept-encoding": "gzip", "if-none-match": String(small.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("is sent with br to clients that prefer it, smaller than with gzip, and has an ETag of its own", async () => {
    const [plain, small] = [await get({}), await get({ "accept-encoding": "gzip, deflate, br" })];
    const gzipped = await get({ "accept-encoding": "gzip" });
    expect(small.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body);
    expect(small.rawPayload.length).toBeLessThan(gzipped.rawPayload.length);
    expect(new Set([plain, gzipped, small].map(({ headers }) => headers.etag)).size).toBe(3);
    const again = await get({ "accept-encoding": "br", "if-none-match": String(small.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it.each(["identity", "br;q=0", "gzip;q=0", "x-gzip-like", ""])(
    "is sent uncompressed to clients with %j",
    async (accepted) => {
      expect((await get({ "accept-encoding": accepted })).headers).not.toHaveProperty("content-encoding");
    },
  );
});

describe("/", () => {
  it.each(["/", "/?x=1"])("%s leads to the dashboard, also below the path of a proxy", async (url) => {
    const { statusCode, headers } = await app.inject(url);
    expect([statusCode, headers.location]).toEqual([302, "dashboard/"]);
    expect(new URL(String(headers.location), "https://example.com/hermod/").pathname).toBe(
      "/hermod/dashboard/",
    );
  });
});

describe("/docs", () => {
  it.each(["/docs", "/docs/start.js", "/docs/errors"])(
    "%s requests nothing from another origin",
    async (url) => {
      const { statusCode, body, headers } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/(?:src|href|url)\s*[=:(]\s*["']?(?:https?:)?\/\//);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    },
  );

  it("loads existing scripts, compressed for clients that accept it", async () => {
    const { body } = await app.inject("/docs");
    const scripts = [...body.matchAll(/<script src="([^"]+)">/g)].map(([, src]) => `/${src}`);
    expect(scripts).toEqual(["/docs/scalar.js", "/docs/start.js"]);
    const plain = await app.inject("/docs/scalar.js");
    expect(plain.body).toContain("createApiReference");
    for (const [accepted, coding] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
    ]) {
      const small = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": accepted } });
      expect(small.headers["content-encoding"]).toBe(coding);
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      const known = String(small.headers.etag);
      expect(known).not.toBe(plain.headers.etag);
      const again = await app.inject({
        url: "/docs/scalar.js",
        headers: { "accept-encoding": accepted, "if-none-match": known },
      });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
    }
  });

  it("documents the type of every problem", async () => {
    const { body } = await app.inject("/docs/errors");
    for (const code of Object.keys(faultCodes) as (keyof typeof faultCodes)[]) {
      const [page, anchor] = problemType(code).split("#");
      expect(page).toBe("/docs/errors");
      expect(body).toContain(`id="${anchor}"`);
    }
  });
});
