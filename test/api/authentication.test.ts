import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { type RawAnswer, talk } from "../harness/raw-http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_TRUSTED_PROXIES: "127.0.0.1" } });
});
afterAll(() => hermod.dispose());

async function newKey(init: Parameters<Hermod["core"]["keys"]["createKey"]>[0]): Promise<string> {
  return (await hermod.core.keys.createKey(init)).secret;
}

async function codeFor(key: string | null, body: unknown = email(), headers: Record<string, string> = {}) {
  const { status, problem } = await post(hermod, body, { key, headers });
  return status === 202 ? "accepted" : `${status} ${problem.code}`;
}

/** Sends a valid message with the given header lines and query, in which only the keys are replaced. */
async function raw(lines: readonly string[], body = JSON.stringify(email())) {
  const [mine, other] = [hermod.firstRun.api_key, `${hermod.firstRun.api_key.slice(0, -1)}x`];
  const filled = lines.map((line) => line.replaceAll("KEY", mine).replaceAll("OTHER", other));
  const query = filled.find((line) => line.startsWith("?")) ?? "";
  const fields = [
    `POST /v1/send${query} HTTP/1.1`,
    "Host: x",
    "Connection: close",
    ...(lines.some((line) => line.startsWith("Content-Type")) ? [] : ["Content-Type: application/json"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...filled.filter((line) => !line.startsWith("?")),
  ];
  const answers = await talk(hermod.firstRun.base_url, `${fields.join("\r\n")}\r\n\r\n${body}`);
  expect(answers.length).toBe(1);
  return answers[0] as RawAnswer;
}

describe("the key", () => {
  it("is required before anything else is checked", async () => {
    expect(await codeFor(null)).toBe("401 auth.key_missing");
    expect(await codeFor(null, "{")).toBe("401 auth.key_missing");
    expect(await codeFor("hm_live_nonsense", email({ nonsense: 1 }))).toBe("401 auth.key_invalid");
  });

  it("is required of signed-in users of the dashboard too, and the answer says where to create one", async () => {
    const headers = { cookie: "theme=dark; hermod=someone's" };
    const { status, problem } = await post(hermod, email(), { key: null, headers });
    expect([status, problem.code]).toEqual([401, "auth.key_missing"]);
    expect(problem.detail).toContain("POST /api/keys");
  });

  it("is refused when it is mistyped, unknown, or not a Bearer token", async () => {
    const key = hermod.firstRun.api_key;
    expect(await codeFor(`${key.slice(0, -1)}x`)).toBe("401 auth.key_invalid");
    expect(await codeFor("x")).toBe("401 auth.key_invalid");
    const { headers } = await post(hermod, email(), { key: "x" });
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  it.each(["Bearer ", "Basic YWRhOnNlY3JldA==", "hm_live_x"])(
    "is missing if `Authorization` is %j, and the answer says how to send one",
    async (authorization) => {
      const { status, problem } = await post(hermod, email(), { key: null, headers: { authorization } });
      expect([status, problem.code]).toEqual([401, "auth.key_missing"]);
      expect(problem.detail).toContain("`Authorization` is not `Bearer` with a key");
    },
  );

  it.each([
    ["an empty Bearer", ["X-API-Key: KEY", "Authorization: Bearer "]],
    ["an empty Authorization", ["X-API-Key: KEY", "Authorization:"]],
    ["Basic, for a proxy on the way", ["X-API-Key: KEY", "Authorization: Basic YWRhOnNlY3JldA=="]],
    ["an empty Bearer, and the key in the address", ["?api_key=KEY", "Authorization: Bearer "]],
    ["Basic, and the key in the address", ["?api_key=KEY", "Authorization: Basic YWRhOnNlY3JldA=="]],
  ])("is accepted in addition to an Authorization header without a key: %s", async (_name, fields) => {
    expect((await raw(fields)).status).toBe(202);
  });

  it("is refused if two places have different keys, even if one is valid", async () => {
    const other = await newKey({});
    expect(await codeFor(hermod.firstRun.api_key, email(), { authorization: `Bearer ${other}` })).toBe(
      "401 auth.key_conflict",
    );
  });

  it.each([
    ["two X-API-Keys", ["X-API-Key: KEY", "X-API-Key: KEY"], 202],
    ["two that a proxy has joined", ["X-API-Key: KEY, KEY"], 202],
    ["two Authorizations", ["Authorization: Bearer KEY", "Authorization: bearer  KEY"], 202],
    ["all three places", ["X-API-Key: KEY", "Authorization: Bearer KEY", "?api_key=KEY&api_key=KEY"], 202],
  ])("may be sent twice if both are equal: %s", async (_name, fields, status) => {
    expect((await raw(fields)).status).toBe(status);
  });

  it.each([
    ["two X-API-Keys", ["X-API-Key: KEY", "X-API-Key: OTHER"]],
    ["two that a proxy has joined", ["X-API-Key: KEY, OTHER"]],
    ["two Authorizations", ["Authorization: Bearer KEY", "Authorization: Bearer OTHER"]],
    [
      "two Authorizations, one of another scheme",
      ["Authorization: Bearer KEY", "Authorization: Basic OTHER"],
    ],
    ["two in the address", ["?api_key=KEY&api_key=OTHER"]],
    ["a header and the address", ["X-API-Key: KEY", "?api_key=OTHER"]],
  ])("is refused if there are different keys: %s", async (_name, fields) => {
    const { status, problem } = await raw(fields);
    expect([status, problem.code]).toEqual([401, "auth.key_conflict"]);
  });

  it("of another kind is refused, and the answer names the required kind", async () => {
    expect(await codeFor(hermod.firstRun.deliverability_api_key)).toBe("403 auth.key_wrong_kind");
    expect(await codeFor(hermod.firstRun.smtp.username)).toBe("403 auth.key_wrong_kind");
  });

  it("stops working when it is revoked", async () => {
    const { secret, key } = await hermod.core.keys.createKey({ name: "short-lived" });
    expect(await codeFor(secret)).toBe("accepted");
    await hermod.core.keys.revokeKey({ key: key?.id ?? "" });
    expect(await codeFor(secret)).toBe("401 auth.key_invalid");
  });
});

describe("a header with two values", () => {
  it.each([
    ["Idempotency-Key", ["X-API-Key: KEY", "Idempotency-Key: a", "Idempotency-Key: b"], 400],
    ["Content-Type", ["X-API-Key: KEY", "Content-Type: application/json", "Content-Type: text/plain"], 400],
    ["Content-Encoding", ["X-API-Key: KEY", "Content-Encoding: identity", "Content-Encoding: gzip"], 415],
  ])("is refused: %s", async (_name, fields, status) => {
    expect((await raw(fields)).status).toBe(status);
  });

  it.each([
    ["Idempotency-Key", ["X-API-Key: KEY", "Idempotency-Key: same", "Idempotency-Key: same"]],
    ["Content-Type", ["X-API-Key: KEY", "Content-Type: application/json", "Content-Type: application/json"]],
  ])("is accepted if both are equal: %s", async (_name, fields) => {
    expect((await raw(fields)).status).toBe(202);
  });
});

describe("a body with a content encoding", () => {
  it.each(["gzip", "br", "deflate, gzip", "x"])("is refused and not read: %s", async (coding) => {
    const answer = await raw(["X-API-Key: KEY", `Content-Encoding: ${coding}`]);
    expect([answer.status, answer.problem.code]).toEqual([415, "request.unsupported_media_type"]);
    expect(answer.headers.get("accept-encoding")).toBe("identity");
  });

  it("is not mentioned in the refusal of a request without a key", async () => {
    expect((await raw(["Content-Encoding: gzip"])).problem.code).toBe("auth.key_missing");
  });

  it("is accepted if its encoding is `identity`", async () => {
    expect((await raw(["X-API-Key: KEY", "Content-Encoding: identity"])).status).toBe(202);
  });
});

describe("scope modes", () => {
  it.each([
    ["full", [], "accepted"],
    ["send_only", [], "accepted"],
    ["alerts_only", [], "403 auth.scope_missing"],
    ["restricted", ["email.send"], "accepted"],
    ["restricted", ["email.*"], "accepted"],
    ["restricted", ["alerts.ingest"], "403 auth.scope_missing"],
  ])("%s %j: %s", async (scopeMode, scopes, expected) => {
    expect(await codeFor(await newKey({ scopeMode, scopes }))).toBe(expected);
  });

  it("a list of senders restricts the key to them", async () => {
    await hermod.core.senders.addSender({ value: "example.net" });
    const key = await newKey({ senders: ["example.net"] });
    expect(await codeFor(key, email({ from: "anyone@Example.NET" }))).toBe("accepted");
    expect(await codeFor(key)).toBe("403 sender.not_allowed");
  });

  it("a list of addresses restricts the key to them, also behind a trusted proxy", async () => {
    const here = await newKey({ allowedAddresses: ["127.0.0.0/8"] });
    expect(await codeFor(here)).toBe("accepted");
    const elsewhere = await newKey({ allowedAddresses: ["203.0.113.7", "2001:db8::/32"] });
    expect(await codeFor(elsewhere)).toBe("403 auth.address_not_allowed");
    expect(await codeFor(elsewhere, email(), { "x-forwarded-for": "203.0.113.7" })).toBe("accepted");
    expect(await codeFor(elsewhere, email(), { "x-forwarded-for": "2001:db8::1" })).toBe("accepted");
  });

  it("a key without any use, or with contradictory settings, is not created", async () => {
    const invalid = [
      { kind: "nonsense" },
      { scopeMode: "nonsense" },
      { scopeMode: "restricted" },
      { scopeMode: "full", scopes: ["email.send"] },
      { scopeMode: "restricted", scopes: ["email.nonsense"] },
      { allowedAddresses: ["999.1.1.1"] },
      { senders: ["not a domain"] },
    ];
    const before = (await hermod.core.keys.listKeys({})).keys.length;
    for (const init of invalid) {
      await expect(hermod.core.keys.createKey(init)).rejects.toMatchObject({
        code: "request.validation_failed",
      });
    }
    expect((await hermod.core.keys.listKeys({})).keys.length).toBe(before);
  });
});

describe("senders", () => {
  it("a verified domain covers its addresses, in any case and with any name, and not its subdomains", async () => {
    await hermod.core.senders.addSender({ value: "Müller.example" });
    expect(await codeFor(hermod.firstRun.api_key, email({ from: "Post <post@MÜLLER.example>" }))).toBe(
      "accepted",
    );
    expect(await codeFor(hermod.firstRun.api_key, email({ from: "post@sub.müller.example" }))).toBe(
      "403 sender.unverified",
    );
  });

  it("adding a sender again changes nothing", async () => {
    const first = await hermod.core.senders.addSender({ value: "again@example.net" });
    const second = await hermod.core.senders.addSender({ value: "Again@example.net" });
    expect(second.sender?.id).toBe(first.sender?.id);
  });
});

describe("rate limits", () => {
  it("report the remaining quota, refuse requests beyond it, and store nothing of them", async () => {
    const limited = await startHermod({
      settings: { HERMOD_RATE_LIMIT_KEY: "3", HERMOD_RATE_LIMIT_ACCOUNT: "0" },
    });
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, () => post(limited, email())));
      const refused = answers.filter(({ status }) => status === 429);
      const accepted = answers.filter(({ status }) => status === 202);
      expect(refused.length + accepted.length).toBe(12);
      expect(refused.length).toBeGreaterThan(0);
      expect((await limited.core.messages.listMessages({})).messages.length).toBe(accepted.length);
      expect(accepted[0]?.headers.get("ratelimit-policy")).toBe('"key";q=3;w=1');
      expect(accepted[0]?.headers.get("ratelimit")).toMatch(/^"key";r=[0-2];t=1$/);
      expect(refused[0]?.problem.code).toBe("rate.limited");
      expect(refused[0]?.headers.get("retry-after")).toBe("1");
      expect(refused[0]?.headers.get("ratelimit")).toBe('"key";r=0;t=1');
    } finally {
      await limited.dispose();
    }
  });
});
