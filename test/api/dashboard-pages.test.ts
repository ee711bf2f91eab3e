import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dashboardPages } from "../../src/edge/dashboard-pages.ts";

describe("the files of the dashboard", () => {
  let folder: string;
  let app: FastifyInstance;
  const asset = (name: string, headers = {}) =>
    app.inject({ url: `/dashboard/assets/${name}`, headers: { host: "localhost", ...headers } });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hermod-pages-"));
    await mkdir(path.join(folder, "assets"));
    await writeFile(path.join(folder, "index.html"), "<!--base--><main></main>");
    await writeFile(path.join(folder, "assets", "index-a1.js"), "let plain;");
    await writeFile(path.join(folder, "assets", "index-a1.js.br"), "compressed");
    app = fastify();
    await dashboardPages(app, { baseUrl: "https://mail.example.com", folder });
  });
  afterEach(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("are served as at the start, even if a new release replaces them", async () => {
    await rm(path.join(folder, "assets"), { recursive: true });
    const answer = await asset("index-a1.js");
    expect([answer.statusCode, answer.body]).toEqual([200, "let plain;"]);
    expect(answer.headers["cache-control"]).toContain("immutable");
  });

  it("are compressed for clients that accept it", async () => {
    const answer = await asset("index-a1.js", { "accept-encoding": "gzip, br" });
    expect([answer.body, answer.headers["content-encoding"]]).toEqual(["compressed", "br"]);
  });

  it.each(["index-b2.js", "index-a1.js.br", "..%2findex.html", "%2e%2e/index.html"])(
    "do not include %s, and no browser caches that answer",
    async (name) => {
      const answer = await asset(name, { "accept-encoding": "br" });
      expect(answer.headers["cache-control"] ?? "").not.toContain("immutable");
      expect(answer.body).not.toContain("compressed");
      expect(answer.body).not.toContain("let plain");
    },
  );
});
