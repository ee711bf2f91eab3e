import { expect, it } from "vitest";
import { createDestinations } from "../../src/delivery/destinations.ts";
import type { PolicyDocument, TransportSettings } from "../../src/store/documents.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const clock = { now: () => new Date(0), monotonicMs: () => 1 };
const relay = (host: string): TransportSettings => ({
  kind: "smtp",
  servers: [{ host, port: 25 }],
  tls: "none",
  maxConnections: 10,
});

it("a message shares the limits of the way that the policy's rules give it", async () => {
  const policy: PolicyDocument = {
    _id: "acc_test.default",
    accountId: "acc_test",
    name: "default",
    default: true,
    transports: [relay("one.example")],
    rules: [{ domains: ["*.example.net"], transports: [relay("two.example")] }],
    updatedAt: clock.now(),
  };
  const destinations = createDestinations({
    findPolicy: async () => policy,
    route: async () => {
      throw new Error("no domain is looked up for a relay");
    },
    workers: () => 1,
    concurrency: 20,
    clock,
  });
  const keyOf = async (recipientDomain: string) =>
    (await destinations.of(queuedMessage(clock.now(), { recipientDomain }))).key;
  expect(await keyOf("example.org")).toContain("one.example");
  expect(await keyOf("mail.example.net")).toContain("two.example");
  expect(await keyOf("example.net")).toBe(await keyOf("example.org"));
});
