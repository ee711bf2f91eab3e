import { afterAll, beforeAll, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue } from "../harness/store-client.ts";
import { allCaptured } from "../harness/stored.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

const scheduled = () => email({ send_at: new Date(Date.now() + 3_600_000).toISOString() });
const stateOf = async (id: string) => (await hermod.core.messages.getMessage({ id })).message?.state;

it("never delivers a cancelled scheduled message, and keeps its idempotency key in use", async () => {
  const headers = { "idempotency-key": "cancelled" };
  const body = scheduled();
  const { accepted } = await post(hermod, body, { headers });
  const other = await post(hermod, scheduled());
  const { message } = await hermod.core.messages.cancelMessage({ id: accepted.message_id });
  expect(message).toMatchObject({ id: accepted.message_id, state: "cancelled" });

  await makeDue(hermod);
  await eventually(async () =>
    (await stateOf(other.accepted.message_id)) === "captured" ? true : undefined,
  );
  expect(await stateOf(accepted.message_id)).toBe("cancelled");
  expect((await allCaptured(hermod)).map(({ id }) => id)).toEqual([other.accepted.message_id]);

  const replayed = await post(hermod, body, { headers });
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect([replayed.status, replayed.accepted]).toEqual([202, accepted]);

  const { timeline } = await hermod.core.messages.getMessage({ id: accepted.message_id });
  expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "scheduled", "cancelled"]);
});

it("refuses to cancel a delivered message", async () => {
  const { accepted } = await post(hermod, email());
  const id = accepted.message_id;
  await eventually(async () => ((await stateOf(id)) === "captured" ? true : undefined));
  await expect(hermod.core.messages.cancelMessage({ id })).rejects.toMatchObject({
    code: "message.not_cancellable",
    public: `Message ${id} is captured.`,
  });
});
