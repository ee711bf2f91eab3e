import { expect, it } from "vitest";
import { createDeliver } from "../../src/delivery/deliver.ts";
import type { Mail } from "../../src/delivery/transports/transport.ts";
import type { MessageContent } from "../../src/message/content.ts";
import { systemClock as clock } from "../../src/shared/clock.ts";
import { queuedMessage } from "../harness/queued-message.ts";

const content: MessageContent = {
  from: { address: "ada@example.com" },
  to: [{ address: "bob@example.net" }],
  replyTo: [],
  subject: "Hello",
  text: "Hello",
  headers: [],
  attachments: [],
};

/** Result of an attempt with a message that has no Received field of its own. */
async function delivered({ maxHops }: { readonly maxHops: number }) {
  const sent: Mail[] = [];
  const deliver = createDeliver({
    checkSuppression: async () => undefined,
    suppressionMs: undefined,
    returnPathOf: (message) => message.from,
    loadBody: async () => ({ kind: "composed" as const, content }),
    findPolicy: async () => ({
      _id: "acc_test.default",
      accountId: "acc_test",
      name: "default",
      default: true,
      transports: [{ kind: "sandbox" }],
      updatedAt: clock.now(),
    }),
    findSigners: async () => [],
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: () => ({
      deliver: async (mail) => {
        sent.push(mail);
        return { kind: "captured", reply: { via: "sandbox", detail: "captured" } };
      },
      close: () => undefined,
    }),
    clock,
    maxAgeMs: 1_000,
    maxHops,
    retentionMs: 1_000,
  });
  return { sent, ...(await deliver(queuedMessage(clock.now()))) };
}

it("bounces a message over the hop limit without contacting a server, with the reason", async () => {
  const { sent, event, transition } = await delivered({ maxHops: -1 });
  expect([sent.length, transition.to]).toEqual([0, "bounced"]);
  expect(event).toMatchObject({ kind: "bounced", enhancedStatusCode: "5.4.6", via: "hermod" });
  expect(event.detail).toContain("runs in circles");
});

it("delivers a message at the hop limit", async () => {
  expect((await delivered({ maxHops: 0 })).transition.to).toBe("captured");
});
