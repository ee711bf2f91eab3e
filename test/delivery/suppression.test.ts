import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeMx, startFakeMx } from "../harness/fake-mx.ts";
import { smtpReply } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue, withStore } from "../harness/store-client.ts";

let mx: FakeMx;
let hermod: Hermod;
let counter = 0;

beforeAll(async () => {
  mx = await startFakeMx();
  hermod = await startHermod({ settings: mx.settings });
  for (const name of ["direct", "news"]) {
    const transports = [{ kind: { case: "direct" as const, value: {} } }];
    await hermod.core.policies.putPolicy({ policy: { name, transports, default: name === "direct" } });
  }
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
});

/** An address that no other test uses. */
const newAddress = () => `person-${counter++}@example.org`;

async function send(to: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, accepted } = await post(hermod, email({ to, ...more }));
  expect(status).toBe(202);
  return accepted.message_id;
}

/** The message in this state, with its timeline. */
function until(id: string, state: string) {
  return eventually(async () => {
    const { message, timeline } = await hermod.core.messages.getMessage({ id });
    return message?.state === state ? { message, timeline, last: timeline.at(-1) } : undefined;
  });
}

const receivedBy = (address: string) => mx.received.filter(({ to }) => to.includes(address)).length;
const suppressionsOf = async (address: string) =>
  (await hermod.core.suppressions.listSuppressions({ address })).suppressions;

describe("never sends to a suppressed address", () => {
  it("from any sender, in any spelling of the address, with the reason", async () => {
    const address = newAddress();
    await hermod.core.suppressions.addSuppression({
      address: address.toUpperCase(),
      detail: "asked by phone",
    });
    const { message, last } = await until(await send(address.replace("p", "P")), "suppressed");
    expect(message.attempts).toBe(0);
    expect(last).toMatchObject({
      kind: "suppressed",
      attempt: 0,
      via: "hermod",
      replyCode: 0,
      detail: expect.stringMatching(
        /suppression list: manual, since 2\d{3}-.*Z, for all mail of the account \(asked by phone\)$/,
      ),
    });
    const [entry] = await suppressionsOf(address);
    expect(entry?.id).toMatch(/^sup_/);
    expect(last?.suppressionId).toBe(entry?.id);
    expect(receivedBy(address)).toBe(0);
  });

  it("not even when it was suppressed after the message was scheduled", async () => {
    const address = newAddress();
    const id = await send(address, { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    await hermod.core.suppressions.addSuppression({ address });
    await makeDue(hermod);
    expect((await until(id, "suppressed")).message.attempts).toBe(0);
    expect(receivedBy(address)).toBe(0);
  });

  it("not even in a later attempt, and does not count that as one", async () => {
    const address = newAddress();
    mx.answerRecipient(() => smtpReply(451, "4.3.0 later"));
    const id = await send(address);
    await until(id, "deferred");
    mx.answerRecipient(undefined);
    await hermod.core.suppressions.addSuppression({ address });
    await makeDue(hermod);
    const { message, timeline } = await until(id, "suppressed");
    expect(message.attempts).toBe(1);
    expect(timeline.map(({ id }) => id.split(".").slice(1).join("."))).toEqual([
      "0.accepted",
      "1.deferred",
      "1.suppressed",
    ]);
    expect(receivedBy(address)).toBe(0);
  });

  it("not even after a restart", async () => {
    const address = newAddress();
    await hermod.core.suppressions.addSuppression({ address });
    await hermod.stop();
    hermod = await hermod.restart();
    await until(await send(address), "suppressed");
    await until(await send(newAddress()), "delivered");
    expect(receivedBy(address)).toBe(0);
  });

  it("until it is removed from the list: the next message is sent at once", async () => {
    const address = newAddress();
    await hermod.core.suppressions.addSuppression({ address });
    await until(await send(address), "suppressed");
    const removed = await hermod.core.suppressions.removeSuppression({ address });
    expect(removed.suppression).toMatchObject({ address, reason: "manual" });
    await until(await send(address), "delivered");
    expect(receivedBy(address)).toBe(1);
  });

  it("until the entry expires, though it is still stored", async () => {
    const address = newAddress();
    const expireAt = timestampFromDate(new Date(Date.now() + 3_600_000));
    await hermod.core.suppressions.addSuppression({ address, expireAt });
    await until(await send(address), "suppressed");
    await withStore(hermod, (db) =>
      db.collection("suppressions").updateOne({ address }, { $set: { expireAt: new Date() } }),
    );
    await until(await send(address), "delivered");
  });

  it("within a scope, and sends mail outside of it", async () => {
    const address = newAddress();
    await hermod.core.suppressions.addSuppression({ address, policy: "news", reason: "unsubscribe" });
    const { last } = await until(await send(address, { routing_policy: "news" }), "suppressed");
    expect(last?.detail).toMatch(/unsubscribe, since .* for mail of the policy news$/);
    await until(await send(address), "delivered");
    expect(receivedBy(address)).toBe(1);
  });
});

describe("a mailbox that does not exist", () => {
  it("is suppressed when its server reports it, with the reply, for 90 days", async () => {
    const address = newAddress();
    mx.answerRecipient(() => smtpReply(550, "5.1.1 user unknown"));
    const id = await send(address);
    await until(id, "bounced");
    mx.answerRecipient(undefined);
    const [entry, ...others] = await suppressionsOf(address);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ reason: "hard_bounce", policy: "", messageId: id });
    expect(entry?.detail).toContain("user unknown");
    const days = (Number(entry?.expireAt?.seconds) - Number(entry?.createdAt?.seconds)) / 86_400;
    expect(days).toBe(90);
    await until(await send(address), "suppressed");
    expect(receivedBy(address)).toBe(0);
  });

  it("is distinguished from another refusal, which suppresses no address", async () => {
    for (const reply of ["5.7.1 message refused by policy", "5.7.1 rejected as spam", "5.2.2 mailbox full"]) {
      const address = newAddress();
      mx.answerData(() => smtpReply(550, reply));
      await until(await send(address), "bounced");
      mx.answerData(undefined);
      expect(await suppressionsOf(address)).toEqual([]);
    }
  });
});

describe("the manager of the list", () => {
  it("receives all faults at once", async () => {
    const wrong = {
      address: "nobody",
      reason: "boredom",
      policy: "none",
      detail: "a\nb",
      expireAt: timestampFromDate(new Date(0)),
    };
    await expect(hermod.core.suppressions.addSuppression(wrong)).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [
        { pointer: "/address", code: "address.missing_at" },
        { pointer: "/policy", code: "policy.unknown" },
        { pointer: "/reason", code: "field.invalid" },
        { pointer: "/detail", code: "field.invalid" },
        { pointer: "/expire_at", code: "field.invalid" },
      ],
    });
  });

  it("receives an error when there is nothing to remove", async () => {
    const address = newAddress();
    await expect(hermod.core.suppressions.removeSuppression({ address })).rejects.toMatchObject({
      code: "suppression.unknown",
    });
  });

  it("reads page after page, by address, and one reason on request", async () => {
    const addresses = ["zoe@example.net", "yan@example.net", "xia@example.net"];
    for (const address of addresses) {
      await hermod.core.suppressions.addSuppression({ address, reason: "complaint" });
    }
    const first = await hermod.core.suppressions.listSuppressions({ pageSize: 2, reason: "complaint" });
    const { nextPageToken: pageToken } = first;
    const second = await hermod.core.suppressions.listSuppressions({ pageToken, reason: "complaint" });
    const all = [...first.suppressions, ...second.suppressions].map(({ address }) => address);
    expect(all).toEqual(addresses.toReversed());
    expect(second.nextPageToken).toBe("");
  });
});
