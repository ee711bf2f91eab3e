import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FoundRoute } from "../../src/routing/found-route.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

let world: Dashboard;
let accountId: string;
let token: string;
const looked: string[] = [];

const found: FoundRoute = {
  kind: "hosts",
  reason: "",
  isImplicit: false,
  hosts: [
    {
      exchange: "mx.example.org",
      preference: 10,
      addresses: ["192.0.2.25"],
      tls: { level: "required", certificate: ["authority"], askedBy: ["mta_sts"], refusal: "" },
    },
    {
      exchange: "old.example.org",
      preference: 20,
      addresses: ["192.0.2.26"],
      tls: { level: "refused", certificate: [], askedBy: ["mta_sts"], refusal: "it is not named" },
    },
  ],
  unusable: ["dead.example.org"],
  hasUnknownMtaSts: false,
};

beforeAll(async () => {
  world = await openDashboard({
    lookUpRoute: async (domain, setting) => {
      looked.push(`${domain} ${setting}`);
      return found;
    },
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  looked.length = 0;
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
});

const ask = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
  world.ask(method, `/api/policies${path}`, { token, ...(body && { body }) });

const smtp = { servers: [{ host: "relay.example.com", port: 587 }], tls: "required", username: "ada" };
const whole = {
  transports: [{ smtp: { ...smtp, password: "s3cret", max_connections: 4 } }, { sandbox: {} }],
  rules: [
    { domains: ["Bücher.example", "*.example.org"], transports: [{ direct: { tls: "verified" } }] },
    { domains: ["example.net"], transports: [{ smtp: { ...smtp, password: "s3cret" } }] },
  ],
  retry: { waits_seconds: [60, 600] },
  max_age_seconds: 3_000,
  priority: "bulk",
  limits: { concurrency: 5 },
  source: { address: "192.0.2.1", helo_name: "out.example.com" },
  list_unsubscribe: true,
  tracking: { opens: true, clicks: false },
};

describe("policies, in the dashboard", () => {
  it("are created, read, listed, replaced and deleted, and never show a password", async () => {
    const { status, body } = await ask("POST", "", { name: "whole", ...whole });
    const shownSmtp = { smtp: { ...smtp, max_connections: 4 } };
    const shown = {
      name: "whole",
      default: false,
      revision: expect.stringMatching(/^rev_/),
      updated_at: world.identity.time.clock.now().toISOString(),
      stored_by: "account",
      ...whole,
      transports: [shownSmtp, { sandbox: {} }],
      rules: [
        {
          domains: ["xn--bcher-kva.example", "*.example.org"],
          transports: [{ direct: { tls: "verified", max_connections: 5 } }],
        },
        { domains: ["example.net"], transports: [{ smtp: { ...smtp, max_connections: 10 } }] },
      ],
      source: { address: "192.0.2.1", address6: "", helo_name: "out.example.com" },
    };
    expect([status, body]).toEqual([201, shown]);
    expect((await ask("GET", "/whole")).body).toEqual(body);
    const list = await ask("GET", "");
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["sandbox", "whole"]);
    // Stored again as shown: it keeps its passwords, and fields that are left out are removed.
    const { transports } = body;
    const revision = body.revision;
    const replaced = await ask("PUT", "/whole", { revision, transports });
    expect(replaced.body).toMatchObject({ transports, rules: [], priority: "transactional" });
    expect(replaced.body.retry).toBeUndefined();
    const stored = await world.identity.store.forAccount(accountId).policies.find("whole");
    expect(stored?.transports[0]).toMatchObject({ password: "s3cret" });
    const deleted = await ask("DELETE", `/whole?revision=${replaced.body.revision}`);
    expect([deleted.status, deleted.body]).toEqual([200, { waiting_until: expect.any(String) }]);
    expect((await ask("GET", "/whole")).status).toBe(404);
    for (const answer of [body, list.body, replaced.body]) {
      expect(JSON.stringify(answer)).not.toMatch(/s3cret|password/);
    }
  });

  it("keep the DKIM signatures of a transport, and refuse an unknown value with its pointer", async () => {
    const chosen = {
      transports: [{ smtp: { ...smtp, password: "s3cret", dkim: "rsa" } }, { direct: { dkim: "none" } }],
    };
    const { status, body } = await ask("POST", "", { name: "signed", ...chosen });
    expect(status).toBe(201);
    expect(body.transports).toMatchObject([{ smtp: { dkim: "rsa" } }, { direct: { dkim: "none" } }]);
    const { body: shown } = await ask("GET", "/signed");
    const { body: again } = await ask("PUT", "/signed", {
      revision: shown.revision,
      transports: shown.transports,
    });
    expect(again.transports).toEqual(shown.transports);
    const wrong = await ask("POST", "", { name: "wrong", transports: [{ direct: { dkim: "dsa" } }] });
    expect([wrong.status, wrong.problem.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: "/transports/0/direct/dkim", code: "field.invalid" })],
    ]);
  });

  it("are changed and deleted only with their current revision", async () => {
    const { body } = await ask("POST", "", { name: "news", transports: [{ sandbox: {} }] });
    const again = await ask("POST", "", { name: "news", transports: [{ sandbox: {} }] });
    expect([again.status, again.problem.code]).toEqual([409, "policy.exists"]);
    const change = { revision: body.revision, transports: [{ direct: {} }] };
    const { body: now } = await ask("PUT", "/news", change);
    for (const stale of [
      await ask("PUT", "/news", change),
      await ask("DELETE", `/news?revision=${body.revision}`),
    ]) {
      expect([stale.status, stale.problem.code]).toEqual([409, "policy.stale"]);
    }
    expect((await ask("GET", "/news")).body).toEqual(now);
    for (const query of ["", "?revision="]) {
      const { status, problem } = await ask("DELETE", `/news${query}`);
      expect([status, problem.errors[0]?.pointer]).toEqual([422, "/revision"]);
    }
    expect((await ask("PUT", "/none", change)).status).toBe(404);
  });

  it("have one default, which can change but not be deleted", async () => {
    await ask("POST", "", { name: "news", transports: [{ sandbox: {} }] });
    const made = await ask("POST", "/news/default");
    expect([made.status, made.body.default]).toEqual([200, true]);
    expect((await ask("GET", "/sandbox")).body.default).toBe(false);
    const { status, problem } = await ask("DELETE", `/news?revision=${made.body.revision}`);
    expect([status, problem.code]).toEqual([409, "policy.is_default"]);
    const { body } = await ask("PUT", "/news", {
      revision: made.body.revision,
      transports: [{ direct: {} }],
    });
    expect(body.default).toBe(true);
    const other = await ask("POST", "", { name: "other", default: true, transports: [{ sandbox: {} }] });
    expect(other.body.default).toBe(true);
    expect((await ask("GET", "/news")).body.default).toBe(false);
  });

  it("are refused with all errors and their pointers, and change nothing", async () => {
    const wrong = {
      name: "Wrong!",
      transports: [{ sandbox: {}, direct: {} }, {}, { smtp: { servers: [{ host: "10.0.0.1" }] } }],
      rules: [{ domains: ["*"], transports: [] }],
    };
    const { status, problem } = await ask("POST", "", wrong);
    expect([status, problem.errors.map(({ pointer }) => pointer)]).toEqual([
      422,
      [
        "/name",
        "/transports/0",
        "/transports/1",
        "/rules/0/domains/0",
        "/rules/0/transports",
        "/transports/2/smtp/servers/0/host",
      ],
    ]);
    const unknown = await ask("POST", "", {
      name: "x",
      transports: [{ smtp: { ...smtp, pasword: "s3cret" } }],
    });
    expect(unknown.problem.errors[0]?.pointer).toBe("/transports/0/smtp/pasword");
    expect((await ask("GET", "")).body.data).toHaveLength(1);
  });
});

describe("an explanation", () => {
  it("names the DKIM signatures that a transport adds, and the reason", async () => {
    const at = (host: string, dkim?: string) => ({
      smtp: { servers: [{ host }], ...(dkim && { dkim }) },
    });
    const policy = {
      name: "signing",
      transports: [
        at("email-smtp.us-east-1.amazonaws.com"),
        at("email-smtp.us-east-1.amazonaws.com", "both"),
        at("relay.example.com"),
        at("relay.example.com", "ed25519"),
        { direct: {} },
      ],
    };
    const { body } = await explain({ policy });
    expect(body.transports.map(({ dkim }: { dkim: string }) => dkim)).toEqual([
      ...["rsa", "both", "both", "ed25519", "both"],
    ]);
    const reasons = body.transports.map(({ reason }: { reason: string }) => reason);
    expect(reasons[0]).toContain("only an RSA signature, because Amazon SES rejects two");
    expect(reasons[1]).toContain("as set by the policy; Amazon SES rejects two signatures");
    expect(reasons[2]).not.toContain("signature");
    expect(reasons[3]).toContain("only an Ed25519 signature, as set by the policy");
  });

  const explain = (body: object) => ask("POST", "/explain", { recipient: "Ada@Mail.Example.org", ...body });

  it("names the rule, the servers, the times and the method, without secrets", async () => {
    await ask("POST", "", { name: "whole", ...whole });
    const { status, body } = await explain({ policy_name: "whole", recipient: "a@example.net" });
    expect(status).toBe(200);
    const now = world.identity.time.clock.now().getTime();
    const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
    expect(body).toMatchObject({
      recipient: "a@example.net",
      domain: "example.net",
      policy: "whole",
      stored: true,
      rule: { index: 1, pattern: "example.net" },
      transports: [
        {
          kind: "smtp",
          servers: [{ host: "relay.example.com", port: 587 }],
          tls: "required",
          certificate_verified: true,
          plain_text_allowed: false,
          username: "ada",
          max_connections: 10,
          public_addresses_only: true,
          questions: [],
        },
      ],
      limits: { concurrency: 5 },
      retry: {
        waits_seconds: [60, 600],
        attempts: [0, 60, 660, 1260, 1860, 2460, 3000].map((seconds, n) => ({
          number: n + 1,
          at: at(seconds),
        })),
        more: false,
        expires_at: at(3000),
      },
      priority: { value: "bulk" },
      source: { address: "192.0.2.1", address6: "", helo_name: "out.example.com" },
      list_unsubscribe: { added: true },
      tracking: {
        ...whole.tracking,
        reason:
          "Html is tracked for opens, unless the message sets it differently, or its sender has signed or encrypted it.",
      },
      suppression: { suppressed: false },
    });
    expect(JSON.stringify(body)).not.toContain("s3cret");
    expect(body.rule).toMatchObject({
      reason: "Rule 2 names example.net and is the first rule that matches. Only its transports are used.",
      reason_parts: [{ code: "rule.names", params: { number: 2, domain: "example.net" } }],
    });
    expect(expectTextsOfParts(body)).toEqual(
      expect.arrayContaining(["transport.first", "limits.concurrency", "retry.expiry", "suppression.none"]),
    );
  });

  it("uses the default policy if none is named", async () => {
    const { body } = await explain({});
    expect(body).toMatchObject({
      recipient: "Ada@mail.example.org",
      policy: "sandbox",
      rule: { pattern: "" },
      transports: [{ kind: "sandbox", servers: [], tls: "" }],
    });
    expect(body.rule).not.toHaveProperty("index");
    expect(body.limits).not.toHaveProperty("messages_per_minute");
  });

  it("names the DNS queries for direct delivery, and runs them on request", async () => {
    const policy = { name: "new", ...whole };
    const asked = await explain({ policy });
    expect(asked.body).toMatchObject({ stored: false, rule: { index: 0, pattern: "*.example.org" } });
    const [direct] = asked.body.transports;
    expect(
      direct.questions.map(({ name, type }: { name: string; type: string }) => `${type} ${name}`),
    ).toEqual([
      "MX mail.example.org",
      "A and AAAA <server>",
      "TLSA _25._tcp.<server>",
      "TXT _mta-sts.mail.example.org",
    ]);
    expect([direct.found, looked]).toEqual([undefined, []]);
    const { body } = await explain({ policy, look_up: true });
    expect(looked).toEqual(["mail.example.org verified"]);
    expect(body.transports[0].found).toMatchObject({
      kind: "hosts",
      hosts: [
        { exchange: "mx.example.org", tls: "required", certificate: ["authority"], asked_by: ["mta_sts"] },
        { exchange: "old.example.org", tls: "refused", reason: "Skipped: it is not named." },
      ],
      unusable: ["dead.example.org"],
    });
    expect(expectTextsOfParts(body)).toEqual(
      expect.arrayContaining(["direct.tls_verified", "query.mta_sts", "host.authority", "host.refused"]),
    );
    // Nothing is stored.
    expect((await ask("GET", "")).body.data).toHaveLength(1);
  });

  it("of a policy that is not stored needs no passwords, and is refused if the policy is invalid", async () => {
    const { body } = await explain({ policy: { name: "new", transports: [{ smtp }] } });
    expect(body.transports[0]).toMatchObject({ kind: "smtp", username: "ada" });
    const hidden = { name: "new", transports: [{ smtp: { servers: [{ host: "10.0.0.1" }] } }] };
    const { status, problem } = await explain({ policy: hidden });
    expect([status, problem.errors.map(({ pointer }) => pointer)]).toEqual([
      422,
      ["/policy/transports/0/smtp/servers/0/host"],
    ]);
  });

  it("reports that the recipient is suppressed for this policy, or for all mail", async () => {
    const { suppressions } = world.identity.store.forAccount(accountId);
    const entry = {
      addressKey: "ada@mail.example.org",
      address: "ada@mail.example.org",
      createdAt: new Date(),
    };
    await suppressions.add({ ...entry, policy: "other", reason: "unsubscribe" }, testAudit);
    expect((await explain({})).body.suppression.suppressed).toBe(false);
    await suppressions.add({ ...entry, policy: "sandbox", reason: "unsubscribe" }, testAudit);
    const { suppression } = (await explain({})).body;
    expect(suppression).toMatchObject({ suppressed: true });
    expect(suppression.reason).toMatch(/^The recipient is on .*for mail of the policy sandbox\.$/);
    expect(expectTextsOfParts(suppression)).toEqual(["suppression.stops_policy"]);
    await suppressions.add({ ...entry, reason: "manual", detail: "Ada asked." }, testAudit);
    const all = (await explain({})).body.suppression;
    expect(all.reason).toContain("for all mail of the account (Ada asked.).");
    expect(expectTextsOfParts(all)).toEqual(["suppression.stops_detail"]);
  });

  it.each([
    [{ recipient: "no address" }, "/recipient"],
    [{ policy_name: "sandbox", policy: { name: "x", transports: [{ sandbox: {} }] } }, "/policy_name"],
    [{ look_up: "yes" }, "/look_up"],
  ])("is refused for an invalid request: %j", async (body, pointer) => {
    const { status, problem } = await explain(body);
    expect([status, problem.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it("of an unknown policy answers 404", async () => {
    const { status, problem } = await explain({ policy_name: "none" });
    expect([status, problem.code]).toEqual([404, "policy.not_found"]);
  });
});
