import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { type Answer, email, post } from "../harness/http.ts";
import { createSignal } from "../harness/signal.ts";
import { type Hermod, spawnHermod, startHermod } from "../harness/start-hermod.ts";
import { allCaptured, tally, untilAllCaptured } from "../harness/stored.ts";

const ROUNDS = Number(process.env.HERMOD_TEST_CRASH_ROUNDS ?? 2);
const CLIENTS = 12;
const SECONDS_PER_ROUND = process.env.MONGODB_URL ? 30 : 10;
/** Answered messages per round that are posted again. */
const REPLAYS_PER_ROUND = 25;

/** One message from the view of its sender, for all posts of it. */
interface Logical {
  readonly subject: string;
  /** Without a key, the message is posted once, and its sender never learns the outcome of an unanswered post. */
  readonly key: string | undefined;
  posts: number;
  /** The id in every 202 that its sender has received. */
  readonly ids: Set<string>;
}

let hermod: Hermod;
const sent: Logical[] = [];
const counts = { accepted: 0, unanswered: 0, retried: 0, replayed: 0 };
const unexpected: string[] = [];

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

/** Undefined: no answer, so that the outcome is unknown. */
async function postOnce(message: Logical): Promise<Answer | undefined> {
  message.posts++;
  const headers: Record<string, string> = message.key ? { "idempotency-key": message.key } : {};
  const answer = await post(hermod, email({ subject: message.subject }), { headers }).catch(() => undefined);
  if (answer?.status === 202) message.ids.add(answer.accepted.message_id);
  else if (answer) unexpected.push(`${answer.status} ${answer.problem.code}`);
  else counts.unanswered++;
  return answer;
}

/** Posts one message after the other until one is not answered. */
async function client(round: number, number: number, onAccepted: () => void): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `${round}.${number}.${i}`;
    const key = i % 2 === 0 ? `key-${name}` : undefined;
    const message: Logical = { subject: `Message ${name}`, key, posts: 0, ids: new Set() };
    sent.push(message);
    const answer = await postOnce(message);
    if (answer?.status !== 202) return;
    counts.accepted++;
    onAccepted();
  }
}

/** Like a sender after a lost answer: the same key and the same body. */
async function retryUnanswered(): Promise<void> {
  const open = sent.filter(({ key, ids }) => key !== undefined && ids.size === 0);
  await inParallel(open, CLIENTS, async (message) => {
    counts.retried++;
    const answer = await postOnce(message);
    if (answer?.headers.get("idempotent-replayed") === "true") counts.replayed++;
  });
}

/** Repeats answered requests: the answer must be the same after any crash. */
async function replayAnswered(round: number): Promise<void> {
  const known = sent.filter(({ key, ids, subject }) => {
    return key !== undefined && ids.size === 1 && subject.startsWith(`Message ${round}.`);
  });
  await inParallel(known.slice(-REPLAYS_PER_ROUND), CLIENTS, async (message) => {
    const answer = await postOnce(message);
    expect.soft(answer?.headers.get("idempotent-replayed"), message.subject).toBe("true");
    counts.replayed++;
  });
}

/** Every other time only after an acceptance: on a slow machine there might be none otherwise. */
async function crash(round: number): Promise<number> {
  const afterMs = randomInt(50, 800);
  const accepted = createSignal();
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(round, number, accepted.tell));
  if (round % 2 === 0) await accepted.until(1);
  await sleep(afterMs);
  await hermod.kill();
  await Promise.all(clients);
  return afterMs;
}

/** Crashes again during the start. */
async function crashWhileStarting(): Promise<void> {
  const starting = spawnHermod(hermod.env);
  await sleep(randomInt(50, 800));
  await starting.kill();
}

describe(`${ROUNDS} crashes at random moments under load`, () => {
  it(
    "lose nothing that was accepted and double nothing",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const afterMs = await crash(round);
        if (round % 3 === 1) await crashWhileStarting();
        hermod = await hermod.restart();
        expect(unexpected, `answers other than 202 in round ${round}, killed after ${afterMs} ms`).toEqual(
          [],
        );
        await retryUnanswered();
        await replayAnswered(round);
      }

      const stored = await untilAllCaptured(hermod);
      const ids = new Set(stored.map(({ id }) => id));
      const answered = sent.flatMap((message) => [...message.ids]);
      const lost = answered.filter((id) => !ids.has(id));
      const storedTimes = tally(stored.map(({ subject }) => subject));
      const doubled = sent.filter(({ subject }) => (storedTimes.get(subject) ?? 0) > 1);
      const total = { stored: stored.length, lost: lost.length, doubled: doubled.length };
      process.stdout.write(`crash: ${JSON.stringify({ rounds: ROUNDS, ...counts, ...total })}\n`);

      expect(lost).toEqual([]);
      expect(doubled).toEqual([]);
      expect(sent.filter((message) => message.ids.size > 1)).toEqual([]);
      expect(sent.filter(({ key, ids }) => key !== undefined && ids.size !== 1)).toEqual([]);
      expect(sent.filter(({ key, posts }) => key === undefined && posts !== 1)).toEqual([]);
      const subjects = new Set(sent.map(({ subject }) => subject));
      expect(stored.filter(({ subject }) => !subjects.has(subject))).toEqual([]);
      expect(counts.accepted).toBeGreaterThan(0);
    },
    60_000 + ROUNDS * SECONDS_PER_ROUND * 1000,
  );

  it("end with each message in the sandbox, captured once", { timeout: 120_000 }, async () => {
    const stored = await untilAllCaptured(hermod);
    const captured = await allCaptured(hermod);
    const ids = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id).toSorted();
    expect(ids(captured)).toEqual(ids(stored));
    await inParallel(stored, 16, async ({ id }) => {
      const { timeline } = await hermod.core.messages.getMessage({ id });
      expect.soft(timeline.map(({ kind }) => kind)).toEqual(["accepted", "captured"]);
    });
  });
});
