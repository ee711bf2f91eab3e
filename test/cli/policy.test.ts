import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ListPoliciesResponseSchema,
  type Policy,
  PolicySchema,
  PutPolicyResponseSchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
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

  it("makes the policy the default with --default or by the file", async () => {
    expect((await put(JSON.stringify(relay))).stored?.default).toBe(false);
    expect((await put(JSON.stringify(relay), "--default")).stored?.default).toBe(true);
    expect((await put(JSON.stringify({ ...relay, default: true }))).stored?.default).toBe(true);
  });

  it("never prints a password, not even one that is refused", async () => {
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
      "hermod: standard input is no policy: SmtpTransport.password: expected string.\n",
    );
  });

  it("reads a file, and says what is wrong with it", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hermod-cli-"));
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const cases: [string, string][] = [
      [path.join(folder, "none.json"), "cannot be read: there is no such file."],
      [folder, "cannot be read: it is a folder."],
      [
        file("comma.json", '{\n  "name": "x",\n}'),
        'is not valid JSON: line 2, column 14: there is a comma too many before "}".',
      ],
      [file("list.json", "[]"), "must hold one JSON object."],
      [file("key.json", '{"transport":[]}'), 'is no policy: Policy: key "transport" is unknown.'],
      [file("latin.json", Buffer.from('{"name":"\xff"}', "latin1")), "is not UTF-8 text."],
    ];
    for (const [name, words] of cases) {
      const ran = await runHermod(["policy", "put", name]);
      expect([ran.code, ran.err]).toEqual([1, `hermod: ${name} ${words}\n`]);
    }
  });
});

describe("hermod policy list", () => {
  it("writes what policy put reads, without passwords, with the ports that are used", async () => {
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
                  value: { servers: [{ host: "mx.example" }], tls: "implicit", password: "s3cret" },
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
            max_connections: 0,
          },
        },
        { sandbox: {} },
      ],
    });
    expect((await put(JSON.stringify(policy))).code).toBe(0);
  });
});
