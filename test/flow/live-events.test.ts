import { readFile } from "node:fs/promises";
import type http from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FlowSession, signIn } from "../harness/flow-session.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";

/** Sessions with ten streams each. HERMOD_TEST_STREAMS=200 needs 20 sessions. */
const SESSIONS = Math.ceil(Number(process.env.HERMOD_TEST_STREAMS ?? 40) / 10);
/** Messages of each of three rounds. */
const MESSAGES = Number(process.env.HERMOD_TEST_STREAM_MESSAGES ?? 1_500);
/** Caches and streams are bounded: after this many messages the program needs no further memory. */
const WARM_UP_MESSAGES = 30_000;
/** A few messages do not show whether memory grows. */
const IS_LONG = MESSAGES >= WARM_UP_MESSAGES;
const SENDERS = 16;
const MORE_BYTES = 50 * 1024 * 1024;

let hermod: Hermod;
let session: FlowSession;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_VALIDATE_RESPONSES: "false" } });
  session = await signIn(hermod);
});
afterAll(() => hermod.dispose());

interface Heard {
  readonly stream: http.IncomingMessage;
  /** Ids of the messages reported as accepted, and their count. */
  accepted: Set<string>;
  counted: number;
  gaps: number;
  lastId: string;
  isOver: boolean;
}

/** Listens until the end of the stream. */
async function listen(by: FlowSession, headers: http.OutgoingHttpHeaders = {}): Promise<Heard> {
  const stream = await by.open("/api/events", { "sec-fetch-site": "same-origin", ...headers });
  expect(stream.statusCode).toBe(200);
  const heard: Heard = { stream, accepted: new Set(), counted: 0, gaps: 0, lastId: "", isOver: false };
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      take(heard, text.slice(0, end));
      text = text.slice(end + 2);
    }
  });
  for (const name of ["close", "error"]) stream.on(name, () => Object.assign(heard, { isOver: true }));
  await eventually(async () => heard.lastId || undefined);
  return heard;
}

function take(heard: Heard, block: string): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  heard.lastId = field("id") ?? heard.lastId;
  if (field("event") === "gap") heard.gaps++;
  if (field("event") !== "changes") return;
  const { changes, counts } = JSON.parse(field("data") ?? "");
  for (const { kind, message_id } of changes) if (kind === "accepted") heard.accepted.add(message_id);
  for (const { kind, count } of counts) if (kind === "accepted") heard.counted += count;
}

async function send(): Promise<string> {
  const { status, accepted } = await post(hermod, email());
  expect(status).toBe(202);
  return accepted.message_id;
}

interface Counted {
  readonly series: readonly { readonly kind: string; readonly sum: number }[];
}

it("reports sent messages to an open page, once, and counts them", async () => {
  const page = await listen(session);
  const ids = await Promise.all(Array.from({ length: 5 }, send));
  await eventually(async () => (page.accepted.size >= 5 ? true : undefined));
  expect([...page.accepted].sort()).toEqual(ids.sort());
  page.stream.destroy();
  const again = await listen(session, { "last-event-id": page.lastId });
  const more = await send();
  await eventually(async () => (again.accepted.size > 0 ? true : undefined));
  expect([[...again.accepted], again.counted, again.gaps]).toEqual([[more], 1, 0]);
  again.stream.destroy();
  const sums = await eventually(async () => {
    const { series } = await session.getJson<Counted>("/api/counters?kind=accepted&kind=captured");
    const found = Object.fromEntries(series.map(({ kind, sum }) => [kind, sum]));
    return found.captured === 6 ? found : undefined;
  });
  expect(sums).toEqual({ accepted: 6, captured: 6 });
});

const residentBytes = async () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${hermod.pid}/status`, "utf8"))?.[1]) * 1024;

it.runIf(process.platform === "linux")("reports the same to many pages, without growing memory", async () => {
  if (IS_LONG) await warmUp();
  const sessions: FlowSession[] = [];
  for (let at = 0; at < SESSIONS; at++) sessions.push(await signIn(hermod, { isFirst: false }));
  const pages = await Promise.all(sessions.flatMap((by) => Array.from({ length: 10 }, () => listen(by))));
  const eleventh = await (sessions[0] as FlowSession).open("/api/events", {
    "sec-fetch-site": "same-origin",
  });
  expect(eleventh.statusCode).toBe(429);
  eleventh.resume();
  const bytes = [await residentBytes()];
  const startMs = performance.now();
  for (let sent = MESSAGES; sent <= 3 * MESSAGES; sent += MESSAGES) {
    await load(MESSAGES);
    await eventually(async () => (pages.every(({ counted }) => counted >= sent) ? true : undefined));
    bytes.push(await residentBytes());
  }
  const seconds = (performance.now() - startMs) / 1_000;
  expect(new Set(pages.map(({ counted }) => counted))).toEqual(new Set([3 * MESSAGES]));
  expect(pages.some(({ isOver, gaps }) => isOver || gaps > 0)).toBe(false);
  process.stdout.write(
    `live events: ${pages.length} streams, ${3 * MESSAGES} messages in ${Math.round(seconds)} s, ${bytes.map((one) => Math.round(one / 1e6))} MB\n`,
  );
  const [, first = 0, , third = 0] = bytes;
  if (IS_LONG) expect(third - first).toBeLessThan(MORE_BYTES);
  for (const { stream } of pages) stream.destroy();
});

async function load(messages: number): Promise<void> {
  let begun = 0;
  const one = async () => {
    while (begun++ < messages) await send();
  };
  await Promise.all(Array.from({ length: SENDERS }, one));
}

/** Returns when everything was reported: later listeners receive nothing of it. */
async function warmUp(): Promise<void> {
  const page = await listen(session);
  await load(WARM_UP_MESSAGES);
  await eventually(async () => (page.counted >= WARM_UP_MESSAGES ? true : undefined));
  page.stream.destroy();
}

it("ends immediately when the process is stopped", async () => {
  const page = await listen(session);
  expect(await hermod.stop()).toBe(0);
  expect(page.isOver).toBe(true);
  hermod = await hermod.restart();
  session = await signIn(hermod, { isFirst: false });
  const again = await listen(session, { "last-event-id": page.lastId });
  const id = await send();
  await eventually(async () => (again.accepted.has(id) ? true : undefined));
  again.stream.destroy();
});
