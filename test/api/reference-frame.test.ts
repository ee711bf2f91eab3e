import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { referenceFrame } from "../../src/edge/reference-frame.ts";

describe("the frame of the API reference", () => {
  let folder: string;
  let app: FastifyInstance;
  const get = (name: string, headers = {}) =>
    app.inject({ url: `/dashboard/reference-frame/${name}`, headers: { host: "localhost", ...headers } });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hermod-frame-"));
    await writeFile(
      path.join(folder, "index.html"),
      '<script nonce="CSP_NONCE" src="scalar-a1.js"></script>',
    );
    await writeFile(path.join(folder, "scalar-a1.js"), "let plain;");
    await writeFile(path.join(folder, "scalar-a1.js.br"), "compressed");
    app = fastify();
    await referenceFrame(app, { folder });
  });
  afterEach(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("has no origin and no network, and runs only its own two scripts", async () => {
    const [first, second] = [await get(""), await get("")];
    const policy = String(first.headers["content-security-policy"]).split("; ");
    const [, nonce] = /nonce="([^"]+)"/.exec(first.body) ?? [];
    expect(policy).toContain("sandbox allow-scripts allow-forms allow-downloads");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy.filter((one) => /^connect-src|allow-same-origin|https?:|\*|unsafe-eval/.test(one))).toEqual(
      [],
    );
    expect(second.body).not.toBe(first.body);
  });

  it("has scripts that browsers keep, compressed for clients that accept it", async () => {
    const [plain, small] = [
      await get("scalar-a1.js"),
      await get("scalar-a1.js", { "accept-encoding": "gzip, br" }),
    ];
    expect([plain.body, plain.headers["content-encoding"]]).toEqual(["let plain;", undefined]);
    expect([small.body, small.headers["content-encoding"]]).toEqual(["compressed", "br"]);
    expect(small.headers["cache-control"]).toContain("immutable");
  });

  it.each(["scalar-b2.js", "scalar-a1.js.br", "index.html", "..%2findex.html"])(
    "does not include %s",
    async (name) => {
      const answer = await get(name);
      expect(answer.statusCode).not.toBe(200);
      expect(answer.body).not.toContain("plain");
    },
  );

  it("answers a script that a new release has replaced with an error that no browser keeps", async () => {
    await rm(path.join(folder, "scalar-a1.js"));
    const answer = await get("scalar-a1.js");
    expect(answer.statusCode).not.toBe(200);
    expect(answer.headers["cache-control"] ?? "").not.toContain("immutable");
  });
});
