import { readFileSync } from "node:fs";
import { fromJson, type JsonObject, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Policy,
  PolicySchema,
  type TransportSchema,
} from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { runHermod, stdin } from "../cli/run-hermod.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_BASE_URL: "https://mail.example.com" } });
});
afterAll(() => hermod.dispose());

type Transport = MessageInitShape<typeof TransportSchema>;

const sandbox: Transport = { kind: { case: "sandbox", value: {} } };
const smtp: Transport = {
  kind: {
    case: "smtp",
    value: { servers: [{ host: "relay.example.com" }], username: "ada", password: "s3cret" },
  },
};

/** Content of a policy. */
function json(policy: Policy | undefined) {
  if (!policy) return undefined;
  const shown = toJson(PolicySchema, policy, { useProtoFieldName: true }) as JsonObject;
  const { revision, updated_at, stored_by, ...content } = shown;
  expect([revision, updated_at]).not.toContain(undefined);
  expect(stored_by).toBe("operator");
  return content;
}

describe("a policy", () => {
  it("is returned completely, by its name and in the list, without passwords", async () => {
    const { policy: stored } = await hermod.core.policies.putPolicy({
      policy: {
        name: "whole",
        transports: [smtp, sandbox],
        rules: [{ domains: ["Bücher.example", "*.example.org"], transports: [smtp] }],
        retry: { waitsSeconds: [30, 300] },
        maxAgeSeconds: 3_600,
        priority: "bulk",
        limits: { concurrency: 5, messagesPerMinute: 100 },
        source: { address: "192.0.2.1", address6: "2001:db8::1", heloName: "out.example.com" },
        listUnsubscribe: true,
      },
    });
    const shownSmtp = {
      smtp: {
        servers: [{ host: "relay.example.com", port: 587 }],
        tls: "required",
        username: "ada",
        max_connections: 10,
      },
    };
    expect(json(stored)).toEqual({
      name: "whole",
      transports: [shownSmtp, { sandbox: {} }],
      rules: [{ domains: ["xn--bcher-kva.example", "*.example.org"], transports: [shownSmtp] }],
      retry: { waits_seconds: [30, 300] },
      max_age_seconds: 3_600,
      priority: "bulk",
      limits: { concurrency: 5, messages_per_minute: 100 },
      source: { address: "192.0.2.1", address6: "2001:db8::1", helo_name: "out.example.com" },
      list_unsubscribe: true,
    });
    const { policy, updatedAt } = await hermod.core.policies.getPolicy({ name: "whole" });
    expect(policy).toEqual(stored);
    expect(updatedAt).toBeDefined();
    const { policies } = await hermod.core.policies.listPolicies({});
    expect(policies.find(({ name }) => name === "whole")).toEqual(stored);
  });

  it("that is stored again is replaced: fields that the new one omits are removed", async () => {
    await hermod.core.policies.putPolicy({
      policy: {
        name: "again",
        transports: [smtp],
        rules: [{ domains: ["example.org"], transports: [sandbox] }],
        maxAgeSeconds: 3_600,
        listUnsubscribe: true,
      },
    });
    await hermod.core.policies.putPolicy({ policy: { name: "again", transports: [sandbox] } });
    const { policy } = await hermod.core.policies.getPolicy({ name: "again" });
    expect(json(policy)).toEqual({ name: "again", transports: [{ sandbox: {} }], priority: "transactional" });
  });

  it("that `show --json` wrote can be stored unchanged, and keeps its passwords", async () => {
    const rules = [{ domains: ["example.org"], transports: [smtp] }];
    const whole = { name: "kept-secret", transports: [smtp, sandbox], rules, maxAgeSeconds: 3_600 };
    const { policy: before } = await hermod.core.policies.putPolicy({ policy: whole });
    const connect = async () => ({ ...hermod.core, close: () => undefined });
    const shown = await runHermod(["policy", "show", "kept-secret", "--json"], { connect });
    expect(shown.out).not.toContain("s3cret");
    const edited = shown.out.replace('"max_age_seconds": 3600', '"max_age_seconds": 7200');
    const ran = await runHermod(["policy", "put", "-"], { connect, input: stdin(edited) });
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const { policy: after } = await hermod.core.policies.getPolicy({ name: "kept-secret" });
    expect(json(after)).toEqual({ ...json(before), max_age_seconds: 7_200 });
    expect(after?.revision).not.toBe(before?.revision);
    // For a server that never had it, the password is required.
    const moved = shown.out.replaceAll("relay.example.com", "evil.example");
    const refused = await runHermod(["policy", "put", "-"], { connect, input: stdin(moved) });
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("/transports/0/smtp/password  The password is required");
    expect(refused.err).toContain("/rules/0/transports/0/smtp/password  The password is required");
    expect(await hermod.core.policies.getPolicy({ name: "kept-secret" })).toMatchObject({ policy: after });
  });

  it("with errors is refused with all of them, and changes nothing", async () => {
    await hermod.core.policies.putPolicy({ policy: { name: "kept", transports: [sandbox] } });
    const before = await hermod.core.policies.listPolicies({});
    const wrong = {
      name: "kept",
      default: true,
      transports: [smtp],
      rules: [{ domains: ["example.org", "*", "example.org"], transports: [] }],
      retry: { waitsSeconds: [0, 60] },
      maxAgeSeconds: 30,
      priority: "urgent",
      limits: { messagesPerMinute: 0 },
      source: { address: "out.example.com" },
    };
    const refusal = await hermod.core.policies.putPolicy({ policy: wrong }).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ code: "request.validation_failed" });
    expect(refusal.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/rules/0/domains/1",
      "/rules/0/domains/2",
      "/rules/0/transports",
      "/retry/waits_seconds/0",
      "/max_age_seconds",
      "/priority",
      "/limits/messages_per_minute",
      "/source/address",
    ]);
    expect(await hermod.core.policies.listPolicies({})).toEqual(before);
  });

  it("that does not exist cannot be shown", async () => {
    await expect(hermod.core.policies.getPolicy({ name: "none" })).rejects.toMatchObject({
      code: "policy.not_found",
    });
  });

  it("is each example of the guide", async () => {
    const guide = readFileSync("docs/reference/policies.md", "utf8");
    const examples = [...guide.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => JSON.parse(text));
    expect(examples.length).toBe(2);
    for (const example of examples) {
      const { policy } = await hermod.core.policies.putPolicy({ policy: fromJson(PolicySchema, example) });
      expect(policy?.name).toBe(example.name);
    }
  });
});
