import { describe, expect, it } from "vitest";
import { changesBetween, isSame, valueAt } from "../../parts/drafts/draft-content.ts";
import { faultAtOf, faultsAfter } from "../../parts/drafts/draft-faults.ts";
import { contentOf, tidy, withoutPasswords } from "./content.ts";

const relay = { servers: [{ host: "relay.example.com", port: 587 }], tls: "required", max_connections: 10 };

describe("the settings of a policy", () => {
  it("are those of the stored policy, without fields that set nothing", () => {
    const content = contentOf({
      transports: [{ smtp: { ...relay, username: "" } }, { sandbox: {} }],
      rules: [],
      retry: undefined,
      max_age_seconds: undefined,
      priority: "bulk",
      limits: {},
      source: { address: "192.0.2.1", address6: "", helo_name: "" },
      list_unsubscribe: false,
    });
    expect(content).toEqual({
      transports: [{ smtp: relay }, { sandbox: {} }],
      priority: "bulk",
      source: { address: "192.0.2.1" },
      list_unsubscribe: false,
    });
    const off = { opens: false };
    expect(tidy({ ...content, rules: [], retry: { waits_seconds: [] }, tracking: off })).toEqual(content);
  });

  it("are equal in any order of their fields", () => {
    const { tls, ...rest } = relay;
    const content = { transports: [{ smtp: relay }], priority: "bulk" };
    expect(isSame(content, { priority: "bulk", transports: [{ smtp: { tls, ...rest } }] })).toBe(true);
    expect(isSame(content, { ...content, priority: "transactional" })).toBe(false);
  });

  it("are compared field by field, and a password is never shown", () => {
    const before = { transports: [{ smtp: { ...relay, password: "first" } }], priority: "bulk" };
    const after = {
      transports: [{ smtp: { ...relay, tls: "implicit", password: "second" } }],
      retry: { waits_seconds: [60, 300] },
    };
    expect(changesBetween(before, after)).toEqual([
      { field: "transports.0.smtp.tls", before: '"required"', after: '"implicit"', secret: false },
      { field: "transports.0.smtp.password", secret: true },
      { field: "priority", before: '"bulk"', after: undefined, secret: false },
      { field: "retry.waits_seconds", before: undefined, after: "[60,300]", secret: false },
    ]);
    expect(JSON.stringify(withoutPasswords(before))).not.toContain("first");
  });

  it("have a value at a JSON pointer", () => {
    const content = { transports: [{ smtp: relay }], "a/b": 1 };
    expect(valueAt(content, "/transports/0/smtp/servers/0/host")).toBe("relay.example.com");
    expect(valueAt(content, "/a~1b")).toBe(1);
    for (const pointer of ["/constructor", "/transports/1"])
      expect(valueAt(content, pointer)).toBeUndefined();
  });
});

describe("the faults of a policy", () => {
  const faults = [
    { pointer: "/transports/0/smtp/servers/0/host", text: "No host." },
    { pointer: "/rules/0/domains/1", text: "Twice." },
  ];

  it("are shown at their field, or at the list that has them", () => {
    const faultAt = faultAtOf(faults);
    expect(faultAt("/transports/0/smtp/servers/0/host")).toBe("No host.");
    expect([faultAt("/rules/0/domains"), faultAt("/rules/0/domains/*")]).toEqual([undefined, "Twice."]);
  });

  it("go when their part changes, and stay otherwise", () => {
    const rules = [{ domains: ["example.org", "example.org"], transports: [] }];
    const before = { transports: [{ smtp: relay }], rules };
    const after = { transports: [{ smtp: { ...relay, servers: [{ host: "mx.example.com" }] } }], rules };
    expect(faultsAfter(faults, before, after).map(({ text }) => text)).toEqual(["Twice."]);
  });
});
