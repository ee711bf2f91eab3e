import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PolicySchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { Fault } from "../../shared/fault.ts";
import type { PolicyAuthor } from "../../store/policy-document.ts";
import type { PolicyBounds } from "../dependencies.ts";
import { readPolicy } from "./read-policy.ts";

type PolicyInit = MessageInitShape<typeof PolicySchema>;

const sandbox = { kind: { case: "sandbox", value: {} } } as const;
const plain: PolicyInit = { name: "plain", transports: [sandbox] };
const bounds = { baseUrl: "https://mail.example.com", maxAgeMs: 48 * 3_600_000, allowPrivate: false };

function read(changes: PolicyInit, around: Partial<PolicyBounds> = {}) {
  return readPolicy(create(PolicySchema, { ...plain, ...changes } as PolicyInit), {
    ...bounds,
    ...around,
  });
}

/** Pointers with an error, each with its code. */
function refused(changes: PolicyInit, around?: Partial<PolicyBounds>): string[] {
  try {
    read(changes, around);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return thrown.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  }
}

const rules = (...domains: string[][]) => domains.map((of) => ({ domains: of, transports: [sandbox] }));

describe("a policy", () => {
  it("requires a name and a transport, and has no other fields by default", () => {
    expect(read({})).toEqual({
      name: "plain",
      default: false,
      transports: [{ kind: "sandbox" }],
      priority: "transactional",
      storedBy: "operator",
    });
  });

  it("is stored in the units and names of the store", () => {
    const policy = read({
      default: true,
      rules: rules(["Example.COM", "*.Bücher.example", "例え.jp", "*.jp"]),
      retry: { waitsSeconds: [1, 604_800] },
      maxAgeSeconds: 1_209_600,
      priority: "bulk",
      limits: { concurrency: 1, messagesPerMinute: 600 },
      source: { address: "192.0.2.1", address6: "2001:DB8:0:0::1", heloName: "Mail.example.com" },
      listUnsubscribe: true,
      tracking: { clicks: true },
    });
    expect(policy).toMatchObject({
      default: true,
      rules: [{ domains: ["example.com", "*.xn--bcher-kva.example", "xn--r8jz45g.jp", "*.jp"] }],
      retryWaitsMs: [1_000, 604_800_000],
      maxAgeMs: 1_209_600_000,
      priority: "bulk",
      limits: { concurrency: 1, messagesPerMinute: 600 },
      source: { address: "192.0.2.1", address6: "2001:db8::1", heloName: "mail.example.com" },
      listUnsubscribe: true,
      tracking: { opens: false, clicks: true },
    });
  });

  it("is refused with all its errors at once", () => {
    expect(
      refused(
        {
          name: "No Name",
          transports: [],
          rules: [
            { domains: [], transports: [{ kind: { case: "smtp", value: { servers: [{ host: "a b" }] } } }] },
            { domains: ["*"], transports: [] },
          ],
          retry: { waitsSeconds: [0] },
          maxAgeSeconds: 59,
          priority: "urgent",
          limits: { concurrency: 0, messagesPerMinute: 0 },
          source: { address: "2001:db8::1", address6: "192.0.2.1", heloName: "-" },
          listUnsubscribe: true,
          tracking: { clicks: true },
        },
        { baseUrl: undefined },
      ),
    ).toEqual([
      "/name field.invalid",
      "/transports field.required",
      "/rules/0/domains field.required",
      "/rules/0/transports/0/smtp/servers/0/host field.invalid",
      "/rules/1/domains/0 field.invalid",
      "/rules/1/transports field.required",
      "/retry/waits_seconds/0 field.invalid",
      "/max_age_seconds field.invalid",
      "/priority field.invalid",
      "/limits/concurrency field.invalid",
      "/limits/messages_per_minute field.invalid",
      "/source/address field.invalid",
      "/source/address6 field.invalid",
      "/source/helo_name field.invalid",
      "/list_unsubscribe field.invalid",
      "/tracking field.invalid",
    ]);
  });

  it("cannot contain a domain twice, in one rule or in two, in any spelling", () => {
    expect(refused({ rules: rules(["example.com", "EXAMPLE.com"]) })).toEqual([
      "/rules/0/domains/1 field.invalid",
    ]);
    expect(refused({ rules: rules(["bücher.example"], ["xn--bcher-kva.example"]) })).toEqual([
      "/rules/1/domains/0 field.invalid",
    ]);
    expect(refused({ rules: rules(["*.example.com", "example.com", "mail.example.com"]) })).toEqual([]);
  });

  it("cannot contain an invalid domain", () => {
    for (const [domain, code] of [
      ["", "address.missing_domain"],
      ["localhost", "address.domain_single_label"],
      ["a..b.example", "address.domain_invalid"],
      ["*.", "address.domain_invalid"],
      ["a.*.example", "address.domain_invalid"],
      ["**.example.com", "address.domain_invalid"],
      ["ada@example.com", "address.domain_invalid"],
      ["192.0.2.1", "address.domain_invalid"],
    ] as const) {
      expect(refused({ rules: rules([domain]) })).toEqual([`/rules/0/domains/0 ${code}`]);
    }
  });

  it("has at most 100 rules with 1000 domains together, and 50 waits", () => {
    const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`);
    expect(refused({ rules: rules(domains(1000)) })).toEqual([]);
    expect(refused({ rules: rules(domains(1001)) })).toEqual(["/rules field.too_many"]);
    expect(refused({ rules: rules(...domains(100).map((one) => [one])) })).toEqual([]);
    expect(refused({ rules: rules(...domains(101).map((one) => [one])) })).toEqual(["/rules field.too_many"]);
    expect(refused({ retry: { waitsSeconds: Array(50).fill(60) } })).toEqual([]);
    expect(refused({ retry: { waitsSeconds: Array(51).fill(60) } })).toEqual([
      "/retry/waits_seconds field.too_many",
    ]);
    expect(refused({ retry: {} })).toEqual(["/retry/waits_seconds field.required"]);
  });

  it("reports no errors of list items beyond the limit", () => {
    const domains = (count: number, domain: string) => Array<string>(count).fill(domain);
    expect(refused({ rules: rules(domains(1_001, "_")) })).toEqual(["/rules field.too_many"]);
    const some = Array.from({ length: 100 }, (_, n) => [`d${n}.example`]);
    expect(refused({ rules: rules(...some, ["_"]) })).toEqual(["/rules field.too_many"]);
    expect(refused({ transports: [...Array(10).fill(sandbox), { kind: { case: undefined } }] })).toEqual([
      "/transports field.too_many",
    ]);
    expect(refused({ retry: { waitsSeconds: [...Array(50).fill(60), 0] } })).toEqual([
      "/retry/waits_seconds field.too_many",
    ]);
  });

  it("cannot expire before its first wait is over", () => {
    expect(refused({ retry: { waitsSeconds: [60] }, maxAgeSeconds: 60 })).toEqual([]);
    expect(refused({ retry: { waitsSeconds: [61] }, maxAgeSeconds: 60 })).toEqual([
      "/max_age_seconds field.conflict",
    ]);
    expect(refused({ retry: { waitsSeconds: [172_801] } })).toEqual([
      "/retry/waits_seconds/0 field.conflict",
    ]);
    expect(refused({ retry: { waitsSeconds: [172_801] }, maxAgeSeconds: 172_801 })).toEqual([]);
    expect(refused({ retry: { waitsSeconds: [604_801] }, maxAgeSeconds: 1_209_601 })).toEqual([
      "/retry/waits_seconds/0 field.invalid",
      "/max_age_seconds field.invalid",
    ]);
  });

  it("cannot have a maximum age that is longer than bodies are stored", () => {
    const around = { longestAgeMs: 86_400_000 };
    expect(refused({ maxAgeSeconds: 86_400 }, around)).toEqual([]);
    expect(refused({ maxAgeSeconds: 86_401 }, around)).toEqual(["/max_age_seconds field.conflict"]);
  });

  it("has a source with optional parts", () => {
    expect(read({ source: {} }).source).toBeUndefined();
    expect(read({ source: { address6: "2001:db8::1" } }).source).toEqual({ address6: "2001:db8::1" });
    for (const heloName of ["mail.example.com", "[192.0.2.1]", "[IPv6:2001:db8::1]"]) {
      expect(read({ source: { heloName } }).source).toEqual({ heloName });
    }
  });

  it("cannot have a source address that no machine has", () => {
    for (const address of [
      "192.0.2",
      "0.0.0.0",
      "224.0.0.1",
      "255.255.255.255",
      "example.com",
      "192.0.2.1:25",
    ]) {
      expect(refused({ source: { address } })).toEqual(["/source/address field.invalid"]);
    }
    for (const address6 of ["::", "ff02::1", "::ffff:192.0.2.1", "fe80::1%eth0", "[2001:db8::1]"]) {
      expect(refused({ source: { address6 } })).toEqual(["/source/address6 field.invalid"]);
    }
    for (const heloName of ["mail", "[2001:db8::1]", "[IPv6:192.0.2.1]", "a b.example", "192.0.2.1"]) {
      expect(refused({ source: { heloName } })).toEqual(["/source/helo_name field.invalid"]);
    }
  });

  it("of an account cannot use private addresses as servers, also in rules; a policy of the operator can", () => {
    const to = (...hosts: string[]) => [
      { kind: { case: "smtp" as const, value: { servers: hosts.map((host) => ({ host })) } } },
    ];
    const policy = create(PolicySchema, {
      name: "plain",
      transports: to("relay.example.com", "8.8.8.8", "127.0.0.1", "::ffff:a00:1"),
      rules: [{ domains: ["example.org"], transports: to("169.254.169.254") }],
    });
    const faultsOf = (allowPrivate: boolean, storedBy: PolicyAuthor) => {
      try {
        return readPolicy(policy, { ...bounds, allowPrivate }, storedBy).storedBy;
      } catch (thrown) {
        return (thrown as Fault).errors.map(({ pointer }) => pointer);
      }
    };
    expect(faultsOf(false, "account")).toEqual([
      "/transports/0/smtp/servers/2/host",
      "/transports/0/smtp/servers/3/host",
      "/rules/0/transports/0/smtp/servers/0/host",
    ]);
    expect(faultsOf(true, "account")).toBe("account");
    expect(faultsOf(false, "operator")).toBe("operator");
  });

  it("permits List-Unsubscribe only if links have a public address", () => {
    const listUnsubscribe = { listUnsubscribe: true };
    expect(refused(listUnsubscribe, { baseUrl: "http://127.0.0.1:8080" })).toEqual([]);
    for (const baseUrl of [undefined, "http://mail.example.com"]) {
      expect(refused(listUnsubscribe, { baseUrl })).toEqual(["/list_unsubscribe field.invalid"]);
      expect(refused({}, { baseUrl })).toEqual([]);
      expect(() => read(listUnsubscribe, { baseUrl })).toThrow("HERMOD_BASE_URL");
    }
  });
});
