import { expect, it } from "vitest";
import { createDeliver, type DeliverOptions } from "../../src/delivery/deliver.ts";
import type { Transport } from "../../src/delivery/transports/transport.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { phrase } from "../../src/shared/phrase.ts";
import { SmtpError } from "../../src/smtp-client/smtp-error.ts";
import { classifyFailure } from "../../src/smtp-client/smtp-failure.ts";
import type { PolicyDocument } from "../../src/store/policy-document.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { englishOf } from "../harness/text-parts.ts";

const content = {
  from: { address: "ada@example.com" },
  to: [{ address: "bob@example.net" }],
  replyTo: [],
  subject: "Hello",
  html: "<p>Hello</p>",
  headers: [],
  attachments: [],
};
const policy: PolicyDocument = {
  _id: "acc_test.default",
  accountId: "acc_test",
  name: "default",
  default: true,
  transports: [{ kind: "sandbox" }],
  updatedAt: new Date(0),
};
const answering = (outcome: Awaited<ReturnType<Transport["deliver"]>>) => () => ({
  deliver: async () => outcome,
  close: () => undefined,
});
const reply = { via: "smtp relay.example.net:25", detail: "250 queued" };

/** The event of an attempt. */
async function attempted(changes: Partial<DeliverOptions>) {
  const deliver = createDeliver({
    checkSuppression: async () => undefined,
    suppressionMs: undefined,
    returnPathOf: (message) => message.from,
    loadBody: async () => ({ kind: "composed", content }),
    findPolicy: async () => policy,
    findSigners: async () => [],
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: answering({ kind: "delivered", reply }),
    clock,
    maxAgeMs: 1_000,
    maxHops: 10,
    retentionMs: 1_000,
    ...changes,
  });
  return (await deliver(queuedMessage(clock.now()))).event;
}

const refused = new SmtpError(
  phrase("system.failure", { detail: "connect ECONNREFUSED 192.0.2.1:25", cause: "ECONNREFUSED" }),
  { phase: "connect", down: true },
);

it.each<[string, Partial<DeliverOptions>, string, string[]]>([
  [
    "a policy that is gone",
    { findPolicy: async () => undefined },
    'the routing policy "default" is gone',
    ["attempt.policy_gone"],
  ],
  [
    "a body past its retention",
    { loadBody: async () => undefined },
    "the body is past its retention",
    ["attempt.body_gone"],
  ],
  [
    "a policy without a transport",
    { findPolicy: async () => ({ ...policy, transports: [] }) },
    "the policy has no transport",
    ["attempt.no_transport"],
  ],
  [
    "a message in a loop",
    { maxHops: -1 },
    "the message has passed 0 servers: it runs in circles",
    ["attempt.loop"],
  ],
  [
    "an error of the worker",
    { transportFor: () => ({ deliver: () => Promise.reject(new TypeError("odd")), close: () => undefined }) },
    "the attempt broke off: TypeError: odd",
    ["attempt.broke_off"],
  ],
  [
    "a refused connection",
    { transportFor: answering(classifyFailure("smtp a.test:25", "a.test", refused)) },
    "connect ECONNREFUSED 192.0.2.1:25",
    ["system.failure"],
  ],
  [
    "a message that is not tracked",
    { findPolicy: async () => ({ ...policy, tracking: { opens: true, clicks: true } }) },
    "not tracked, for this worker needs an https HERMOD_BASE_URL; 250 queued",
    ["attempt.not_tracked", "server.reply"],
  ],
])("the event of %s has the parts of its text", async (_, changes, detail, codes) => {
  const event = await attempted(changes);
  expect(event.detail).toBe(detail);
  expect(event.detailParts?.map(({ code }) => code)).toEqual(codes);
  expect(englishOf(event.detailParts ?? [])).toBe(detail);
});

it("the words of another server have no parts, and foreign text in params is made safe", async () => {
  const answered = await attempted({});
  expect([answered.detail, answered.detailParts]).toEqual(["250 queued", undefined]);
  const odd = new SmtpError(phrase("server.not_smtp", { detail: `\u0007${"x".repeat(5_000)}` }), {
    phase: "connect",
  });
  const event = await attempted({
    transportFor: answering(classifyFailure("smtp a.test:25", "a.test", odd)),
  });
  const [part] = event.detailParts ?? [];
  expect(part?.params?.detail).toMatch(/^x{999}…$/);
});
