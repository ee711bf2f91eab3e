import { describe, expect, it } from "vitest";
import type { Explanation } from "../../api/policies.ts";
import { explainedParts, pairsOf } from "./explanation-parts.ts";

const transport: Explanation["transports"][number] = {
  kind: "smtp",
  servers: [{ host: "relay.example.com", port: 587 }],
  tls: "required",
  certificate_verified: true,
  plain_text_allowed: false,
  username: "",
  max_connections: 10,
  public_addresses_only: true,
  dkim: "both",
  reason: "Tried first.",
  reason_parts: [],
  questions: [],
};
const explained = (begin: string): Explanation => ({
  recipient: "ada@example.org",
  domain: "example.org",
  policy: "news",
  stored: true,
  rule: { pattern: "", reason: "The policy has no rules.", reason_parts: [] },
  transports: [transport],
  limits: { concurrency: 20, reason: "The default.", reason_parts: [] },
  retry: {
    waits_seconds: [60, 300],
    attempts: [{ number: 1, at: `${begin}T10:00:00.000Z`, wait_seconds: 0 }],
    more: true,
    expires_at: `${begin}T14:00:00.000Z`,
    reason: `The message expires at ${begin}T14:00:00.000Z.`,
    reason_parts: [],
  },
  priority: { value: "bulk", reason: "The policy says so.", reason_parts: [] },
  source: { address: "", address6: "", helo_name: "", reason: "The system chooses.", reason_parts: [] },
  list_unsubscribe: { added: false, reason: "The policy does not ask for it.", reason_parts: [] },
  tracking: { opens: false, clicks: false, reason: "The policy does not ask for it.", reason_parts: [] },
  suppression: { suppressed: false, reason: "The recipient is not suppressed.", reason_parts: [] },
});

describe("the answer to a trial", () => {
  it("begins with the rule and the transports, and has the age instead of a time", () => {
    const parts = explainedParts(explained("2030-01-01"));
    expect(parts.slice(0, 2).map(({ lines }) => lines)).toEqual([
      ["The policy has no rules."],
      ["Relay relay.example.com:587.", "Tried first."],
    ]);
    expect(parts.find(({ id }) => id === "retry")?.lines).toContain("Gives up after 4 h.");
  });

  it("has no differences because of the time of the question", () => {
    const pairs = pairsOf(explained("2030-01-01"), explained("2030-01-02"));
    expect(pairs.filter(({ differs }) => differs)).toEqual([]);
  });

  it("differs in another rule, and in a transport that only one answer has", () => {
    const stored = explained("2030-01-01");
    const unsaved = {
      ...stored,
      rule: { index: 0, pattern: "example.org", reason: "Rule 1 names example.org.", reason_parts: [] },
      transports: [transport, { ...transport, kind: "sandbox", servers: [] }],
    };
    const pairs = pairsOf(stored, unsaved);
    expect(pairs.filter(({ differs }) => differs).map(({ id }) => id)).toEqual(["rule", "transport 1"]);
    expect(pairs.map(({ id }) => id).indexOf("transport 1")).toBe(2);
    expect(pairs[2]?.stored).toBeUndefined();
  });
});
