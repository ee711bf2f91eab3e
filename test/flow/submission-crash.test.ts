import { afterAll, beforeAll, expect, it } from "vitest";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { createSignal } from "../harness/signal.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { allCaptured, tally, untilAllCaptured } from "../harness/stored.ts";
import { envelopeTo, plainSource } from "../harness/submission.ts";

const RECIPIENTS = Array.from({ length: 15 }, (_, n) => `r${n}@example.net`);
/** Numbers of acknowledgements after which the process is killed. */
const ROUNDS = [20, 45, 70];

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

/** Submits until the core ends; returns the trace ids of the acknowledged messages, the first of them before the kill. */
async function submitUntilKilled(round: number, killedAfter: number): Promise<string[]> {
  const acknowledged = createSignal<string>();
  let alive = true;
  const clients = inParallel(
    Array.from({ length: 20 }, (_, n) => n),
    20,
    async (client) => {
      for (let i = 0; alive; i++) {
        const source = plainSource(`X-Idempotency-Key: ${round}-${client}-${i}`);
        const answer = await hermod.core.submissions
          .submit(envelopeTo(hermod, RECIPIENTS), source)
          .catch(() => undefined);
        if (answer) acknowledged.tell(answer.traceId);
        else if (hermod.hasEnded()) return;
      }
    },
  );
  await acknowledged.until(killedAfter);
  await hermod.kill();
  alive = false;
  await clients;
  return [...acknowledged.seen];
}

it("stores all messages of a submission or none after a kill, and loses no acknowledged ones", {
  timeout: 300_000,
}, async () => {
  const acknowledged: string[] = [];
  for (const [round, killedAfter] of ROUNDS.entries()) {
    acknowledged.push(...(await submitUntilKilled(round, killedAfter)));
    hermod = await hermod.restart();
  }
  const stored = await withStore(hermod, (db) =>
    db
      .collection("messages")
      .find({}, { projection: { traceId: 1 } })
      .toArray(),
  );
  const perSubmission = tally(stored.map(({ traceId }) => String(traceId)));
  expect([...new Set(perSubmission.values())]).toEqual([RECIPIENTS.length]);
  expect(acknowledged.filter((traceId) => !perSubmission.has(traceId))).toEqual([]);
  await untilAllCaptured(hermod, 90_000);
  const captured = await allCaptured(hermod);
  expect(new Set(captured.map(({ id }) => id)).size).toBe(stored.length);
});
