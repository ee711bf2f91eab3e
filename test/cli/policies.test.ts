import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { create, fromJson } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  DeletePolicyResponseSchema,
  ExplainPolicyResponseSchema,
  GetPolicyResponseSchema,
  ListPoliciesResponseSchema,
  MakeDefaultPolicyResponseSchema,
  type Policy,
  PolicySchema,
  PutPolicyResponseSchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { validationFault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { runHermod, stdin } from "./run-hermod.ts";

const relay = {
  name: "relay",
  transports: [
    {
      smtp: {
        servers: [{ host: "127.0.0.1", port: 2525 }],
        tls: "none",
        username: "ada",
        password: "s3cret",
        max_connections: 4,
      },
    },
    { sandbox: {} },
  ],
};

async function put(text: string, ...options: string[]) {
  const stored: Policy[] = [];
  const putPolicy = async (request: { policy?: unknown }) => {
    const policy = create(PolicySchema, request.policy as Policy);
    stored.push(policy);
    return create(PutPolicyResponseSchema, { policy });
  };
  const ran = await runHermod(["policy", "put", "-", ...options], {
    core: { policies: { putPolicy } },
    input: stdin(text),
  });
  return { ...ran, stored: stored[0] };
}

describe("hermod policy put", () => {
  it("takes names in snake_case and in camelCase", async () => {
    const { stored } = await put(JSON.stringify(relay));
    expect(stored?.transports[0]?.kind).toMatchObject({
      case: "smtp",
      value: { servers: [{ host: "127.0.0.1", port: 2525 }], password: "s3cret", maxConnections: 4 },
    });
    expect(stored?.transports[1]?.kind.case).toBe("sandbox");
    const camel = JSON.stringify(relay).replace("max_connections", "maxConnections");
    expect((await put(camel)).stored).toEqual(stored);
  });

  it("makes the policy the default with --default or with the file", async () => {
    expect((await put(JSON.stringify(relay))).stored?.default).toBe(false);
    expect((await put(JSON.stringify(relay), "--default")).stored?.default).toBe(true);
    expect((await put(JSON.stringify({ ...relay, default: true }))).stored?.default).toBe(true);
  });

  it("never prints a password, not even a refused one", async () => {
    const wrong = { name: "x", transports: [{ smtp: { password: 31337 } }] };
    const runs = [
      await put(JSON.stringify(relay)),
      await put(JSON.stringify(relay), "--json"),
      await put(JSON.stringify(wrong)),
    ];
    for (const { out, err } of runs) expect(out + err).not.toMatch(/s3cret|31337/);
    expect(runs[0]?.out).toBe(
      "Stored the policy relay: smtp 127.0.0.1:2525 (TLS none, user ada), then sandbox.\n",
    );
    expect(runs[2]?.err).toBe(
      "hermod: standard input is not a valid policy, at /transports/0/smtp: SmtpTransport.password: expected string.\n",
    );
  });

  it("reads a file, and reports its mistakes", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hermod-cli-"));
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const cases: [string, string][] = [
      [path.join(folder, "none.json"), "cannot be read: the file does not exist."],
      [folder, "cannot be read: it is a folder."],
      [
        file("comma.json", '{\n  "name": "x",\n}'),
        'is not valid JSON: line 2, column 14: a comma before "}" is not allowed.',
      ],
      [file("list.json", "[]"), "must hold one JSON object."],
      [file("key.json", '{"transport":[]}'), 'is not a valid policy: Policy: key "transport" is unknown.'],
      [file("latin.json", Buffer.from('{"name":"\xff"}', "latin1")), "is not UTF-8 text."],
    ];
    for (const [name, words] of cases) {
      const ran = await runHermod(["policy", "put", name]);
      expect([ran.code, ran.err]).toEqual([1, `hermod: ${name} ${words}\n`]);
    }
  });
});

describe("hermod policy list", () => {
  it("writes the input form of policy put, without passwords, with the effective ports", async () => {
    const listPolicies = async () =>
      create(ListPoliciesResponseSchema, {
        policies: [
          {
            name: "relay",
            default: true,
            transports: [
              {
                kind: {
                  case: "smtp",
                  value: {
                    servers: [{ host: "mx.example", port: 465 }],
                    tls: "implicit",
                    password: "s3cret",
                  },
                },
              },
              { kind: { case: "sandbox", value: {} } },
            ],
          },
        ],
      });
    const core = { policies: { listPolicies } };
    expect((await runHermod(["policy", "list"], { core })).out).toBe(
      "NAME   DEFAULT  TRANSPORTS\nrelay  yes      smtp mx.example:465 (TLS implicit), then sandbox\n",
    );
    const { out } = await runHermod(["policy", "list", "--json"], { core });
    const [policy] = JSON.parse(out).data;
    expect(policy).toEqual({
      name: "relay",
      default: true,
      transports: [
        {
          smtp: {
            servers: [{ host: "mx.example", port: 465 }],
            tls: "implicit",
            username: "",
            password: null,
            max_connections: 0,
            dkim: null,
          },
        },
        { sandbox: {} },
      ],
      rules: [],
      retry: null,
      max_age_seconds: null,
      priority: "",
      limits: null,
      source: null,
      list_unsubscribe: false,
      tracking: null,
      revision: "",
      updated_at: null,
      stored_by: "",
    });
    expect((await put(JSON.stringify(policy))).code).toBe(0);
  });

  it("shows the number of rules", async () => {
    const rule = { domains: ["example.org"], transports: [{ sandbox: {} }] };
    const policies = [[rule], [rule, rule]].map((rules, index) =>
      fromJson(PolicySchema, { name: `p${index}`, transports: [{ sandbox: {} }], rules }),
    );
    const listPolicies = async () => create(ListPoliciesResponseSchema, { policies });
    const { out } = await runHermod(["policy", "list"], { core: { policies: { listPolicies } } });
    expect(out).toBe(
      "NAME  DEFAULT  TRANSPORTS\np0    no       sandbox; 1 rule\np1    no       sandbox; 2 rules\n",
    );
  });
});

const whole = {
  name: "news",
  default: true,
  transports: [{ sandbox: {} }],
  rules: [
    {
      domains: ["example.org", "*.example.org"],
      transports: [
        {
          smtp: {
            servers: [{ host: "mx.example", port: 25 }],
            tls: "none",
            username: "",
            password: null,
            max_connections: 10,
            dkim: "rsa",
          },
        },
      ],
    },
  ],
  retry: { waits_seconds: [90, 900, 7200] },
  max_age_seconds: 172_800,
  priority: "bulk",
  limits: { concurrency: 5, messages_per_minute: null },
  source: { address: "192.0.2.1", address6: "2001:db8::1", helo_name: "out.example.com" },
  list_unsubscribe: true,
  tracking: { opens: true, clicks: false },
};

describe("hermod policy show", () => {
  const show = (...options: string[]) => {
    const getPolicy = async ({ name }: { name?: string }) =>
      create(GetPolicyResponseSchema, {
        policy: fromJson(PolicySchema, {
          ...whole,
          name: name ?? "",
          revision: "rev_1",
          stored_by: "account",
          updated_at: "2030-01-02T03:04:05Z",
        }),
      });
    return runHermod(["policy", "show", "news", ...options], { core: { policies: { getPolicy } } });
  };

  it("shows everything for people", async () => {
    expect((await show()).out).toBe(`news  default
  Rule              example.org, *.example.org: smtp mx.example:25 (TLS none, DKIM rsa)
  Transports        sandbox
  Retries           after 90 s, 15 min, 2 h, then every 2 h
  Given up after    2 d
  Priority          bulk
  Concurrency       5 to each mail provider
  From address      192.0.2.1, 2001:db8::1
  HELO name         out.example.com
  List-Unsubscribe  added, with one click
  Tracking          opens
  Updated           2030-01-02 03:04:05 UTC
`);
  });

  it("writes the input form of policy put", async () => {
    const { updated_at, revision, stored_by, ...shown } = JSON.parse((await show("--json")).out);
    expect([updated_at, revision, stored_by]).toEqual(["2030-01-02T03:04:05.000Z", "rev_1", "account"]);
    expect(shown).toEqual(whole);
    const { stored } = await put(JSON.stringify(shown));
    expect(stored).toEqual(fromJson(PolicySchema, whole));
  });
});

describe("hermod policy put, default and delete", () => {
  it("pass on the revision of a change, if given", async () => {
    const asked: unknown[] = [];
    const policy = fromJson(PolicySchema, { ...whole, revision: "rev_2" });
    const core = {
      policies: {
        putPolicy: async (request: object) => {
          asked.push(request);
          return create(PutPolicyResponseSchema, { policy });
        },
        deletePolicy: async (request: object) => {
          asked.push(request);
          const waitingUntil = timestampFromDate(new Date("2030-01-02T03:04:05Z"));
          return create(DeletePolicyResponseSchema, { waitingUntil });
        },
        makeDefaultPolicy: async (request: object) => {
          asked.push(request);
          return create(MakeDefaultPolicyResponseSchema, { policy });
        },
      },
    };
    const run = (...args: string[]) =>
      runHermod(["policy", ...args], { core, input: stdin(JSON.stringify(whole)) });
    await run("put", "-");
    const { out } = await run("put", "-", "--revision", "rev_1", "--json");
    expect(JSON.parse(out).revision).toBe("rev_2");
    expect((await run("delete", "news")).out).toBe(
      "Deleted the policy news. Waiting messages still follow it, until 2030-01-02 03:04:05 UTC at the latest.\n",
    );
    await run("delete", "news", "--revision", "rev_1");
    expect((await run("default", "news")).out).toBe(
      "news is now the default policy for messages that name no policy.\n",
    );
    expect(asked).toMatchObject([
      {},
      { basedOn: { case: "revision", value: "rev_1" } },
      { name: "news", revision: "" },
      { name: "news", revision: "rev_1" },
      { name: "news" },
    ]);
    expect(asked[0]).not.toHaveProperty("basedOn");
  });
});

describe("hermod policy explain", () => {
  const explained = create(ExplainPolicyResponseSchema, {
    recipient: "ada@example.org",
    domain: "example.org",
    policy: "news",
    stored: true,
    rule: { index: 0, pattern: "example.org", reason: "Rule 1 names example.org." },
    transports: [
      {
        kind: "direct",
        tls: "required",
        reason: "Tried first.",
        questions: [{ name: "example.org", type: "MX", reason: "Which servers." }],
        found: {
          kind: "hosts",
          reason: "example.org names this server.",
          hosts: [
            {
              exchange: "mx.example.org",
              preference: 10,
              addresses: ["192.0.2.1"],
              reason: "TLS or nothing.",
            },
          ],
          unusable: ["old.example.org"],
        },
      },
    ],
    limits: { concurrency: 20, reason: "At most 20." },
    retry: {
      waitsSeconds: [60],
      attempts: [{ number: 1, at: timestampFromDate(new Date("2030-01-02T03:04:05Z")) }],
      more: true,
      reason: "Again and again.",
    },
    priority: { value: "bulk", reason: "Later." },
    source: { reason: "Any." },
    listUnsubscribe: { reason: "No." },
    tracking: { reason: "Opens." },
    suppression: { suppressed: true, reason: "On the list\u001b[2J." },
  });

  async function explain(...args: string[]) {
    const asked: object[] = [];
    const explainPolicy = async (request: object) => {
      asked.push(request);
      return explained;
    };
    const ran = await runHermod(["policy", "explain", "ada@example.org", ...args], {
      core: { policies: { explainPolicy } },
      input: stdin(JSON.stringify(whole)),
    });
    return { ...ran, asked: asked[0] };
  }

  it("prints one fact per line, and no cursor controls", async () => {
    const { out } = await explain("--look-up");
    expect(out).toBe(`ada@example.org  news  not sent
  Rule              Rule 1 names example.org.
  Transport 1       direct: Tried first.
                    queries MX of example.org: Which servers.
    Found           example.org names this server.
                    10 mx.example.org (192.0.2.1): TLS or nothing.
                    unusable: old.example.org
  Suppression       On the list [2J.
  Limits            At most 20.
  Retries           Again and again.
  Attempts          2030-01-02 03:04:05 UTC, …
  Priority          Later.
  Source            Any.
  List-Unsubscribe  No.
  Tracking          Opens.
`);
  });

  it("explains the default policy, one by its name, or one of a file", async () => {
    expect((await explain()).asked).toMatchObject({ by: { case: "name", value: "" }, lookUp: false });
    const named = (await explain("--policy", "news", "--look-up")).asked;
    expect(named).toMatchObject({ by: { case: "name", value: "news" }, lookUp: true });
    const given = (await explain("--file", "-")).asked;
    expect(given).toMatchObject({ by: { case: "policy", value: { name: "news", priority: "bulk" } } });
    expect((await explain("--file", "-", "--policy", "news")).code).not.toBe(0);
  });

  it("writes all of it as JSON", async () => {
    const { out } = await explain("--json");
    expect(JSON.parse(out)).toMatchObject({
      rule: { index: 0, pattern: "example.org" },
      transports: [{ found: { hosts: [{ exchange: "mx.example.org" }] } }],
      suppression: { suppressed: true },
    });
  });
});

it("hermod policy put accepts `tracking` in the form of an earlier release", async () => {
  const { code, stored } = await put(JSON.stringify({ ...relay, tracking: false }));
  expect([code, stored?.tracking]).toEqual([0, undefined]);
});

it("hermod policy put shows every fault with its pointer", async () => {
  const errors = [
    { pointer: "/rules/0/domains/1", code: "field.invalid", message: "No domain." },
    { pointer: "/tracking", code: "field.invalid", message: "Not yet." },
  ] as const;
  const putPolicy = async () => {
    throw validationFault(errors.map((one) => ({ ...one, message: receivedText(one.message) })));
  };
  const options = () => ({ core: { policies: { putPolicy } }, input: stdin(JSON.stringify(relay)) });
  const ran = await runHermod(["policy", "put", "-"], options());
  expect([ran.code, ran.out]).toEqual([1, ""]);
  expect(ran.err).toBe(
    "hermod: 2 fields are not valid.\n  /rules/0/domains/1  No domain.\n  /tracking  Not yet.\n",
  );
  const { err } = await runHermod(["policy", "put", "-", "--json"], options());
  expect(JSON.parse(err).error).toMatchObject({ code: "request.validation_failed", errors });
});
