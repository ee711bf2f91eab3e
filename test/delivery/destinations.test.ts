import { afterEach, expect, it } from "vitest";
import type { Destination } from "../../src/delivery/routing/destination-limits.ts";
import { createDestinations } from "../../src/delivery/routing/destinations.ts";
import type { MxRoute } from "../../src/delivery/routing/mx-route.ts";
import type { PolicyDocument } from "../../src/store/policy-document.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const STARTED_MS = 1_000;
let nowMs = STARTED_MS;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
afterEach(() => {
  nowMs = STARTED_MS;
});

/** The host of each domain's most preferred MX record. */
const exchanges: Readonly<Record<string, string>> = {
  "one.example": "mx1.bigmail.com",
  "two.example": "mx2.bigmail.com",
  "other.example": "mx.smallmail.net",
};

async function route(domain: string): Promise<MxRoute> {
  const exchange = exchanges[domain];
  if (!exchange) return { kind: "temporary", enhancedStatusCode: "4.4.3", reason: "no answer" };
  const addresses = [{ address: "192.0.2.1", family: 4 as const }];
  return {
    kind: "hosts",
    implicit: false,
    dropped: [],
    hosts: [{ exchange, preference: 1, addresses, authenticated: false }],
  };
}

function policy(name: string, changes: Partial<PolicyDocument> = {}): PolicyDocument {
  return {
    _id: `acc_test.${name}`,
    accountId: "acc_test",
    name,
    default: false,
    transports: [{ kind: "direct", tls: "opportunistic", maxConnections: 5 }],
    updatedAt: clock.now(),
    ...changes,
  };
}

function destinations(policies: readonly PolicyDocument[], { concurrency = 4 } = {}) {
  const all = createDestinations({
    findPolicy: async (_, name) => policies.find((one) => one.name === name),
    route,
    concurrency,
    clock,
  });
  return (recipientDomain: string, name = "default") =>
    all.of(queuedMessage(clock.now(), { recipientDomain, policy: name }));
}

function fill(to: Destination): number {
  let started = 0;
  for (; to.startsAtMs(nowMs) <= nowMs; started++) to.started(nowMs);
  return started;
}

it("domains of one mail provider count together, others do not", async () => {
  const of = destinations([policy("default")]);
  expect(fill(await of("one.example"))).toBe(4);
  expect(fill(await of("two.example"))).toBe(0);
  expect(fill(await of("other.example"))).toBe(4);
});

it("a provider's feedback under one policy applies to the others, and each has its own limit", async () => {
  const of = destinations([policy("default"), policy("news", { limits: { concurrency: 1 } })]);
  expect(fill(await of("one.example", "news"))).toBe(1);
  expect(fill(await of("two.example"))).toBe(3);
  expect((await of("one.example", "news")).startsAtMs(nowMs)).toBe(Number.POSITIVE_INFINITY);
});

it("another source address is a new sender to the provider", async () => {
  const of = destinations([policy("default"), policy("second", { source: { address: "192.0.2.99" } })]);
  expect(fill(await of("one.example"))).toBe(4);
  expect(fill(await of("one.example", "second"))).toBe(4);
});

it("an upstream relay is one destination for all domains, with its own number of connections", async () => {
  const servers = [{ host: "relay.example.com", port: 587 }];
  const relay = { kind: "smtp", servers, tls: "required", maxConnections: 2 } as const;
  const of = destinations([policy("default", { transports: [relay] })]);
  expect(fill(await of("one.example"))).toBe(2);
  expect(fill(await of("other.example"))).toBe(0);
});

it("the rule for a domain decides the destination of its messages", async () => {
  const rules = [{ domains: ["one.example"], transports: [{ kind: "sandbox" as const }] }];
  const of = destinations([policy("default", { rules })]);
  expect(fill(await of("two.example"))).toBe(4);
  expect(fill(await of("one.example"))).toBeGreaterThan(4);
});

it("workers share the limits of a provider, of a relay and of a policy, but not of the sandbox", async () => {
  const servers = [{ host: "relay.example.com", port: 587 }];
  const relay = { kind: "smtp", servers, tls: "required", maxConnections: 2 } as const;
  const of = destinations([
    policy("default", { limits: { messagesPerMinute: 120 } }),
    policy("relayed", { transports: [relay] }),
    policy("captured", { transports: [{ kind: "sandbox" }] }),
  ]);
  const shared = async (name: string) => {
    const { limits } = await of("one.example", name);
    return limits.map(({ key, isShared, whole }) => [key.trim(), isShared, whole()]);
  };
  expect(await shared("default")).toEqual([
    ["provider bigmail.com", true, 4],
    ["acc_test.default  provider bigmail.com", true, 4],
  ]);
  expect(await shared("relayed")).toEqual([["relay relay.example.com:587", true, 2]]);
  expect(await shared("captured")).toEqual([["sandbox", false, 1_000]]);
});

it("a domain with unknown servers is its own destination, and so is a message without its policy", async () => {
  const of = destinations([policy("default")]);
  expect((await of("lost.example")).key).toContain("domain lost.example");
  expect((await of("one.example", "gone")).key).toContain("provider bigmail.com");
});

it("queries a domain again after 15 seconds", async () => {
  const policies = [policy("default")];
  const of = destinations(policies);
  const before = await of("one.example");
  policies[0] = policy("default", { transports: [{ kind: "sandbox" }] });
  expect(await of("one.example")).toBe(before);
  nowMs += 15_001;
  expect(await of("one.example")).not.toBe(before);
});
