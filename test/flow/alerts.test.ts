import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allPages } from "../../src/cli/all-pages.ts";
import { post } from "../harness/http.ts";
import { createSignal } from "../harness/signal.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { allCaptured, allMessages, forEachOf } from "../harness/stored.ts";

const ROUNDS = Number(process.env.HERMOD_TEST_ALERT_ROUNDS ?? 2);
const CLIENTS = 8;
/** Each has a recipient of its own, who is mailed 1,000 times an hour at most. */
const RULES = 20;
const PATH = "/v1/alerts/ingest";

/** Something that fires, and is well again. */
interface Thing {
  readonly name: string;
  readonly rule: number;
  /** How far its source has come: what was answered. */
  fired: boolean;
  ended: boolean;
}

let hermod: Hermod;
const things: Thing[] = [];
const unexpected: string[] = [];

beforeAll(async () => {
  hermod = await startHermod();
  for (let rule = 0; rule < RULES; rule++)
    await hermod.core.rules.putRule({
      settings: {
        name: `rule-${rule}`,
        match: [{ field: "source", op: "eq", value: { kind: { case: "stringValue", value: `s${rule}` } } }],
        stop: true,
        notify: {
          recipients: [`ops${rule}@example.net`],
          from: "hello@example.com",
          mailsPerHour: 1_000,
        },
      },
    });
});
afterAll(() => hermod.dispose());

/** False: it was not answered. */
async function tell({ name, rule }: Thing, status: "firing" | "resolved"): Promise<boolean> {
  const alert = { event_type: "down", severity: "warning", source: `s${rule}`, message: `${name} is down` };
  const headers = { "idempotency-key": `${name}.${status}` };
  const body = { ...alert, entity_id: name, status };
  const answer = await post(hermod, body, { path: PATH, headers }).catch(() => undefined);
  if (answer && answer.status !== 202) unexpected.push(`${answer.status} ${answer.problem.code}`);
  return answer?.status === 202;
}

/** Has one thing after the other fire, and every other one be well again, until it is not answered. */
async function client(round: number, number: number, onAnswer: () => void): Promise<void> {
  for (let i = 0; ; i++) {
    const thing: Thing = { name: `t${round}-${number}-${i}`, rule: i % RULES, fired: false, ended: false };
    things.push(thing);
    thing.fired = await tell(thing, "firing");
    if (!thing.fired) return;
    onAnswer();
    if (i % 2 === 1) continue;
    thing.ended = await tell(thing, "resolved");
    if (!thing.ended) return;
  }
}

it(
  `${ROUNDS} crashes at random moments lose no notice and double none`,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const answered = createSignal();
      const clients = Array.from({ length: CLIENTS }, (_, number) => client(round, number, answered.tell));
      await answered.until(1);
      await sleep(randomInt(50, 800));
      await hermod.kill();
      await Promise.all(clients);
      hermod = await hermod.restart();
    }
    // As sources do whose answer got lost: the same key, the same body.
    await forEachOf(things, CLIENTS, async (thing) => {
      thing.fired ||= await tell(thing, "firing");
      thing.ended ||= await tell(thing, "resolved");
    });
    expect(unexpected).toEqual([]);
    expect(things.filter(({ fired, ended }) => !fired || !ended)).toEqual([]);

    // What is sent twice is captured twice.
    const captured = await eventually(async () => {
      const all = await allCaptured(hermod);
      return all.length >= 2 * things.length ? all : undefined;
    }, 60_000);
    expect(captured.length).toBe(2 * things.length);
    const stored = (await allMessages(hermod)).filter(({ source }) => source === "alert");
    const subjects = stored.map(({ subject, recipient }) => `${recipient} ${subject}`).sort();
    const wanted = things.flatMap(({ name, rule }) => {
      const subject = `[warning] s${rule}: ${name} is down (${name})`;
      return [subject, `Re: ${subject}`].map((line) => `ops${rule}@example.net ${line}`);
    });
    expect(subjects).toEqual(wanted.sort());

    const incidents = await allPages(
      (pageToken) => hermod.core.incidents.listIncidents({ pageToken, pageSize: 1_000 }),
      (page) => page.incidents,
    );
    expect(incidents.length).toBe(things.length);
    const odd = incidents.filter(
      ({ state, alerts, notices, trouble }) =>
        state !== "resolved" || alerts !== 2 || notices !== 2 || trouble !== "",
    );
    expect(odd).toEqual([]);
  },
  60_000 + ROUNDS * 60_000,
);
