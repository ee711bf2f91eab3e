import { describe, expect, it } from "vitest";
import { createTrustsHost, isSameOrigin } from "../../src/admin/request-origin.ts";
import { fault } from "../../src/shared/fault.ts";
import { talk } from "../harness/raw-http.ts";
import { adminServer, createFakeSandbox } from "./fake-sandbox.ts";

describe("the admin port", () => {
  it("reports that the process is alive, regardless of its dependencies", async () => {
    const app = adminServer({ readiness: async () => ({ ready: false, checks: { core: "away" } }) });
    const answer = await app.inject("/healthz");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: "ok", version: "0.1.0", commit: "unknown" });
  });

  it("is ready with every check, or 503 with the problem", async () => {
    const ready = await adminServer().inject("/readyz");
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready", checks: { core: "ok" } }]);

    const app = adminServer({
      readiness: async () => ({ ready: false, checks: { core: "ok", store: "away" } }),
    });
    const away = await app.inject("/readyz");
    expect(away.statusCode).toBe(503);
    expect(away.json()).toEqual({ status: "unavailable", checks: { core: "ok", store: "away" } });
  });

  it("is not ready when the readiness check fails", async () => {
    const app = adminServer({ readiness: () => Promise.reject(new Error("secret detail")) });
    const answer = await app.inject("/readyz");
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain("secret detail");
  });

  it("writes the metrics of the process for Prometheus", async () => {
    const answer = await adminServer().inject("/metrics");
    expect(answer.headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.body).toContain("# TYPE hermod_accepts_total counter");
    expect(answer.body).toContain("process_cpu_seconds_total");
  });

  it("links its resources on its first page", async () => {
    const withInbox = await adminServer({ sandbox: createFakeSandbox().client }).inject("/");
    expect(withInbox.body).toContain('href="/sandbox"');
    const without = await adminServer().inject("/");
    expect(without.body).not.toContain("/sandbox");
    expect(without.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("has no inbox without a sandbox", async () => {
    for (const url of ["/sandbox", "/sandbox/messages", "/sandbox/messages/msg_1/html"]) {
      expect((await adminServer().inject(url)).statusCode).toBe(404);
    }
  });

  it("answers with problem documents", async () => {
    const answer = await adminServer().inject("/nowhere?api_key=x");
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json()).toMatchObject({
      status: 404,
      code: "admin.not_found",
      instance: "/nowhere",
      errors: [],
    });
    expect(answer.json().sx_trace_id).toMatch(/^sx_/);
    expect((await adminServer().inject("/%zz")).json()).toMatchObject({ status: 400 });
  });

  it("reports that the core is unavailable, with a retry time", async () => {
    const { client } = createFakeSandbox();
    const away = fault("core.unavailable", { retryAfterSeconds: 1.2, internal: "10.0.0.7 refused" });
    const app = adminServer({ sandbox: { ...client, listSandboxMessages: () => Promise.reject(away) } });
    const answer = await app.inject("/sandbox/messages");
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "2"]);
    expect(answer.body).not.toContain("10.0.0.7");
  });

  it("never shows an unexpected error to the caller", async () => {
    const { client } = createFakeSandbox();
    const broken = { ...client, listSandboxMessages: () => Promise.reject(new Error("stack and secrets")) };
    const answer = await adminServer({ sandbox: broken }).inject("/sandbox/messages");
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("stack and secrets");
  });
});

describe("a web page of another site", () => {
  it("cannot reach the port under its own name (DNS rebinding)", async () => {
    const app = adminServer({ sandbox: createFakeSandbox().client });
    const headers = { host: "rebound.example:9090" };
    for (const url of ["/", "/sandbox", "/sandbox/messages", "/healthz", "/metrics", "/nowhere"]) {
      const answer = await app.inject({ url, headers });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "admin.host_refused"]);
    }
  });

  it.each([
    ["localhost:9090", true],
    ["LOCALHOST", true],
    ["hermod.localhost", true],
    ["127.0.0.1:9090", true],
    ["[::1]:9090", true],
    // A probe by the pod's address: DNS cannot redirect an address.
    ["10.0.0.7:9090", true],
    ["[fd00::7]:9090", true],
    [undefined, true],
    ["", true],
    ["core:9090", true],
    ["Hermod.Internal.:9090", true],
    ["evil.example", false],
    ["localhost.evil.example", false],
    ["127.0.0.1.evil.example:9090", false],
    ["core.evil.example", false],
    ["evil-core", false],
    ["internal", false],
    ["worker:9090", false],
    ["2130706433", false],
    ["0x7f.1", false],
    ["evil.example@localhost", false],
    ["evil.example:80:localhost", false],
  ] as const)("Host %s, for a port served as core and hermod.internal: trusted is %s", (host, trusted) => {
    expect(createTrustsHost(["core", "hermod.internal"])(host)).toBe(trusted);
  });

  it.each([
    [{}, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ origin: "http://localhost:9090", host: "localhost:9090" }, true],
    [{ origin: "http://localhost:8080", host: "localhost:9090" }, false],
    [{ origin: "null", host: "localhost:9090" }, false],
    [{ origin: "https://localhost:9090", host: "localhost:9090" }, false],
    [{ origin: "http://evil@localhost:9090", host: "localhost:9090" }, false],
    [{ origin: "http://localhost:9090/", host: "localhost:9090" }, false],
    [{ origin: "http://localhost:9090", host: "LOCALHOST:9090" }, true],
  ])("%o: same origin is %s", (headers, same) => {
    expect(isSameOrigin({ headers, protocol: "http" })).toBe(same);
  });

  it("cannot clear the inbox", async () => {
    const sandbox = createFakeSandbox();
    sandbox.capture("Subject: keep\n\nme");
    const app = adminServer({ sandbox: sandbox.client });
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const answer = await app.inject({ method: "DELETE", url: "/sandbox/messages", headers });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "admin.cross_origin"]);
    }
    expect((await app.inject("/sandbox/messages")).json().data).toHaveLength(1);
  });
});

it.each([
  [
    "an expectation",
    "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close\r\n\r\n",
    "417 request.expectation_failed",
  ],
  ["no HTTP", "hello\r\n\r\n", "400 request.malformed"],
  [
    "headers of 20 kB",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`,
    "431 request.header_too_large",
  ],
])("an unreadable request is answered with a problem document: %s", async (_name, bytes, expected) => {
  const app = adminServer();
  try {
    const answers = await talk(await app.listen({ host: "127.0.0.1", port: 0 }), bytes);
    expect(answers.map(({ status, problem }) => `${status} ${problem.code}`)).toEqual([expected]);
    expect(answers[0]?.problem.type).toBe(`urn:hermod:problem:${answers[0]?.problem.code}`);
  } finally {
    await app.close();
  }
});
