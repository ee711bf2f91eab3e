import { create, fromJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ComparePolicyVersionsResponseSchema,
  PolicySchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { runHermod, stdin } from "./run-hermod.ts";

const relay = (password: string) => ({
  smtp: { servers: [{ host: "relay.example.com" }], username: "ada", password },
});
const news = { name: "news", transports: [relay("s3cret")] };

let identity: Identity;
let accountId: string;
let author: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  const member = await identity.memberOf(accountId);
  author = member.email;
  const policy = fromJson(PolicySchema, news);
  await identity.as({ session: member.token }).policies.putPolicy({ policy });
  await put(JSON.stringify({ ...news, priority: "bulk" }));
});

const hermod = (...argv: string[]) =>
  runHermod(["policy", ...argv, "--account", accountId], { core: identity.operator });
const stored = () => identity.store.forAccount(accountId).policies.find("news");

async function put(text: string): Promise<void> {
  const options = { core: identity.operator, input: stdin(text) };
  const { code, err } = await runHermod(["policy", "put", "-", "--account", accountId], options);
  expect([code, err]).toEqual([0, ""]);
}

describe("hermod policy versions", () => {
  it("lists the versions with author and time, newest first", async () => {
    await hermod("restore", "news", "1");
    const { out } = await hermod("versions", "news");
    const [heading, ...rows] = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(["VERSION", "PRESENT", "AT", "BY", "RESTORES"]);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(rows).toEqual([
      ["3", "yes", at, "operator", "version 1"],
      ["2", "no", at, "operator"],
      ["1", "no", at, author],
    ]);
    expect(JSON.parse((await hermod("versions", "news", "--json")).out)).toMatchObject({
      data: [
        { version: 3, current: true, restored_version: 1, author: { kind: "operator" } },
        { version: 2, current: false, restored_version: null },
        { version: 1, current: false, author: { kind: "user", name: author } },
      ],
      has_more: false,
    });
  });

  it("continues from a cursor", async () => {
    const first = JSON.parse((await hermod("versions", "news", "--limit", "1", "--json")).out);
    expect(first).toMatchObject({ data: [{ version: 2 }], has_more: true });
    const rest = await hermod("versions", "news", "--cursor", first.next_cursor, "--json");
    expect(JSON.parse(rest.out)).toMatchObject({ data: [{ version: 1 }], has_more: false });
  });

  it("refuses an unknown policy", async () => {
    const { code, err } = await hermod("versions", "none");
    expect([code, err]).toEqual([1, 'hermod: The routing policy "none" does not exist.\n']);
  });
});

describe("hermod policy version", () => {
  it("writes a file that put accepts, without passwords, and names author and time in a note", async () => {
    const { code, out, err } = await hermod("version", "news", "1");
    expect([code, err]).toEqual([0, expect.stringContaining("Version 1 of the policy news, stored at ")]);
    expect(err).toContain(` by ${author}.`);
    expect(out).not.toContain("s3cret");
    await put(out);
    expect(await stored()).toMatchObject({
      priority: "transactional",
      transports: [{ username: "ada", password: "s3cret" }],
    });
    expect((await hermod("version", "news", "3")).err).toContain("Version 3 (present) of the policy news");
  });

  it("has author, time and content in JSON", async () => {
    const json = JSON.parse((await hermod("version", "news", "1", "--json")).out);
    expect(json).toMatchObject({
      version: 1,
      current: false,
      restored_version: null,
      author: { kind: "user", name: author },
      content: { name: "news", priority: "transactional", transports: [{ smtp: { password: null } }] },
    });
    expect(json.content).not.toHaveProperty("default");
  });

  it("refuses a version that does not exist or is no number", async () => {
    const missing = await hermod("version", "news", "9");
    expect([missing.code, missing.err]).toEqual([1, 'hermod: The routing policy "news" has no version 9.\n']);
    const wrong = await hermod("version", "news", "first");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("must be the number of a version")]);
  });
});

describe("hermod policy diff", () => {
  it("shows the last change, and a changed password without its values", async () => {
    await put(JSON.stringify({ ...news, transports: [relay("another")], priority: "bulk" }));
    expect((await hermod("diff", "news")).out).toBe(
      "Changes from version 2 to version 3:\ntransports.0.smtp.password\n  A secret value differs.\n",
    );
  });

  it("compares the named versions", async () => {
    expect((await hermod("diff", "news", "1", "2")).out).toContain('priority\n- "transactional"\n+ "bulk"\n');
    expect((await hermod("diff", "news", "2", "1")).out).toContain('priority\n- "bulk"\n+ "transactional"\n');
    expect((await hermod("diff", "news", "2", "2")).out).toBe(
      "There are no differences between version 2 and version 2.\n",
    );
    expect(JSON.parse((await hermod("diff", "news", "1", "--json")).out)).toMatchObject({
      before: 1,
      after: 2,
      changes: expect.arrayContaining([
        { field: "priority", before: '"transactional"', after: '"bulk"', secret: false },
      ]),
    });
  });

  it("shows added and removed parts, safe for a terminal", async () => {
    const changes = [
      { field: "rules.0", after: '{"domains":["a.example\u202e"]}' },
      { field: "source.helo_name", before: '"out.example.com"' },
    ];
    const comparePolicyVersions = async () =>
      create(ComparePolicyVersionsResponseSchema, { before: 4, after: 7, changes });
    const { out } = await runHermod(["policy", "diff", "news", "4", "7"], {
      core: { policies: { comparePolicyVersions } },
    });
    expect(out).toBe(
      'Changes from version 4 to version 7:\nrules.0\n+ {"domains":["a.example "]}\nsource.helo_name\n- "out.example.com"\n',
    );
  });
});

describe("hermod policy restore", () => {
  it("stores the former content as a new version, with its password", async () => {
    const { code, out } = await hermod("restore", "news", "1");
    expect([code, out]).toEqual([
      0,
      "Restored version 1 of the policy news: smtp relay.example.com:587 (TLS required, user ada).\n",
    ]);
    expect(await stored()).toMatchObject({
      priority: "transactional",
      transports: [{ username: "ada", password: "s3cret" }],
    });
  });

  it("refuses an older revision with --revision, and changes nothing", async () => {
    const refused = await hermod("restore", "news", "1", "--revision", "older", "--json");
    expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, "policy.stale"]);
    const { data } = JSON.parse((await hermod("versions", "news", "--json")).out);
    expect(data).toHaveLength(2);
    expect((await hermod("restore", "news", "1", "--revision", data[0].revision)).code).toBe(0);
  });
});
