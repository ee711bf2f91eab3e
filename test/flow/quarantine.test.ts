import { afterAll, beforeAll, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue, withStore } from "../harness/store-client.ts";

let hermod: Hermod;

beforeAll(async () => {
  // Without the lines of accepted messages, which also name them.
  hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: "warn" } });
});
afterAll(() => hermod.dispose());

const messages = () => hermod.core.messages;
const stateOf = async (id: string) => (await messages().getMessage({ id })).message?.state;
const untilCaptured = (id: string) =>
  eventually(async () => ((await stateOf(id)) === "captured" ? true : undefined));

/** A scheduled message with this text in its subject. */
async function schedule(subject: string): Promise<string> {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  return (await post(hermod, email({ send_at, subject }))).accepted.message_id;
}

async function untilQuarantined(id: string) {
  return eventually(async () => {
    const { messages: kept } = await messages().listQuarantinedMessages({});
    return kept.find((one) => one.id === id);
  });
}

it("quarantines an unreadable message until it is repaired and released, and delivers the others", async () => {
  const damaged = await schedule("Damaged");
  const other = await schedule("Whole");
  await withStore(hermod, (db) => damage(db, "messages", damaged, invalidUtf8("Damaged")));
  await makeDue(hermod);
  await untilCaptured(other);

  const kept = await untilQuarantined(damaged);
  expect(kept).toMatchObject({ reason: expect.stringMatching(/^subject: Invalid UTF-8/), subject: "" });
  expect(kept.recipient).toContain("@");
  const { accountId } = kept;
  const scoped = await messages().listQuarantinedMessages({ accountId });
  expect(scoped.messages.map(({ id }) => id)).toEqual([damaged]);
  expect((await messages().listQuarantinedMessages({ accountId: "acc_other" })).messages).toEqual([]);
  const refused = { code: "message.unreadable", public: expect.stringContaining("subject: Invalid UTF-8") };
  await expect(messages().getMessage({ id: damaged })).rejects.toMatchObject(refused);
  await expect(messages().releaseQuarantinedMessage({ id: damaged })).rejects.toMatchObject(refused);
  const listed = await messages().listMessages({});
  expect(listed.messages.map(({ id }) => id)).toEqual([other]);
  const metrics = await (await fetch(`${hermod.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^hermod_quarantined_total 1$/m);
  expect(metrics).toMatch(/^hermod_quarantine_messages 1$/m);
  expect(hermod.log().split(damaged).length - 1).toBe(1);

  await withStore(hermod, (db) =>
    db.collection<{ _id: string }>("messages").updateOne({ _id: damaged }, { $set: { subject: "Mended" } }),
  );
  const of = { id: damaged, accountId: "acc_other" };
  await expect(messages().releaseQuarantinedMessage(of)).rejects.toMatchObject({ code: "message.unknown" });
  await messages().releaseQuarantinedMessage({ id: damaged, accountId });
  await untilCaptured(damaged);
  expect((await messages().listQuarantinedMessages({})).messages).toEqual([]);
  const { timeline } = await messages().getMessage({ id: damaged });
  expect(timeline.map(({ kind }) => kind)).toEqual([
    "accepted",
    "scheduled",
    "quarantined",
    "released",
    "captured",
  ]);
});

it("cancels a dropped message, and removes it after its retention", async () => {
  const id = await schedule("Dropped");
  await withStore(hermod, (db) => damage(db, "messages", id, invalidUtf8("Dropped")));
  await makeDue(hermod);
  await untilQuarantined(id);
  expect((await messages().dropQuarantinedMessage({ id })).message?.id).toBe(id);
  await expect(messages().getQuarantinedMessage({ id })).rejects.toMatchObject({ code: "message.unknown" });
  const [left] = await withStore(hermod, (db) =>
    db
      .collection<{ _id: string }>("messages")
      .find({ _id: id }, { projection: { state: 1, expireAt: 1, nextAttemptAt: 1 } })
      .toArray(),
  );
  expect(left).toEqual({ _id: id, state: "cancelled", expireAt: expect.any(Date) });
});
