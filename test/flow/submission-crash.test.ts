import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { allCaptured, forEachOf, tally, untilAllCaptured } from "../harness/stored.ts";
import { envelopeTo, plainSource } from "../harness/submission.ts";

const RECIPIENTS = Array.from({ length: 15 }, (_, n) => `r${n}@example.net`);
const ROUNDS = 3;

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

/** Submits until the core is gone; the trace ids of what was acknowledged. */
async function submitUntilKilled(round: number): Promise<string[]> {
  const acknowledged: string[] = [];
  let alive = true;
  const clients = forEachOf(
    Array.from({ length: 20 }, (_, n) => n),
    20,
    async (client) => {
      for (let i = 0; alive; i++) {
        const source = plainSource(`X-Idempotency-Key: ${round}-${client}-${i}`);
        const answer = await hermod.core.submissions
          .submit(envelopeTo(hermod, RECIPIENTS), source)
          .catch(() => undefined);
        if (!answer) return;
        acknowledged.push(answer.traceId);
      }
    },
  );
  await sleep(1_000 + 300 * round);
  await hermod.kill();
  alive = false;
  await clients;
  return acknowledged;
}

it("leaves all messages of a submission or none when it is killed, and loses nothing acknowledged", {
  timeout: 150_000,
}, async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await submitUntilKilled(round)));
    hermod = await hermod.restart();
  }
  const stored = await withStore(hermod, (db) =>
    db
      .collection("messages")
      .find({}, { projection: { traceId: 1 } })
      .toArray(),
  );
  const perSubmission = tally(stored.map(({ traceId }) => String(traceId)));
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * 5);
  expect([...new Set(perSubmission.values())]).toEqual([RECIPIENTS.length]);
  expect(acknowledged.filter((traceId) => !perSubmission.has(traceId))).toEqual([]);
  await untilAllCaptured(hermod, 90_000);
  const captured = await allCaptured(hermod);
  expect(new Set(captured.map(({ id }) => id)).size).toBe(stored.length);
});
