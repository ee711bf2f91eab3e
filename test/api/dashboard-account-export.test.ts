import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type http from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createStore } from "../../src/store/store.ts";
import { type FlowSession, signIn } from "../harness/flow-session.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";
import { eventually, type Hermod, newSettings, startHermod } from "../harness/start-hermod.ts";
import { proxyMongoDb, type TcpProxy } from "../harness/tcp-proxy.ts";

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
/** HERMOD_TEST_EXPORT_MESSAGES=2000000 takes several minutes. */
const MESSAGES = Number(process.env.HERMOD_TEST_EXPORT_MESSAGES ?? 3_200);
const AT_ONCE = 160;
/** One of this number of messages has a body. */
const WITH_BODY = AT_ONCE;
const BODY = Buffer.alloc(4_000_000, "body of the message\r\n");
const MORE_BYTES = 200 * 1024 * 1024;

let store: SharedStore;
/**
 * Proxy between the store and the program, which waits ten seconds for the store. Short outages are shorter, also on a slow
 * machine.
 */
let proxy: TcpProxy & { readonly url: string };
let hermod: Hermod;
let session: FlowSession;
let accountId = "";

beforeAll(async () => {
  store = await startSharedStore();
  proxy = await proxyMongoDb(store.settings.MONGODB_URL ?? "");
  const MONGODB_URL = `${proxy.url}&serverSelectionTimeoutMS=10000`;
  // With a larger heap, garbage is collected too late to measure the retained memory.
  const NODE_OPTIONS = "--max-old-space-size=256";
  const env = { ...(await newSettings()), ...store.settings, MONGODB_URL, NODE_OPTIONS };
  hermod = await startHermod({ env });
  const { accounts } = await hermod.core.accounts.listAccounts({});
  accountId = accounts[0]?.id ?? "";
  await storeMessages();
  session = await signIn(hermod);
}, 3_600_000);
afterAll(async () => {
  await hermod?.dispose();
  await proxy?.close();
  await store?.close();
});

async function storeMessages(): Promise<void> {
  const { MONGODB_URL, MONGODB_DATABASE } = store.settings;
  const client = new MongoClient(MONGODB_URL ?? "");
  const { acrossAccounts } = createStore(client.db(MONGODB_DATABASE), testSealing);
  const start = Date.now() - MESSAGES;
  for (let done = 0; done < MESSAGES; done += AT_ONCE) {
    const messages = Array.from({ length: AT_ONCE }, (_one, index) => {
      const at = new Date(start + done + index);
      const _id = newIdInBucket("msg", at, 1);
      const contentId = `cnt_${done + index}`;
      const common = { _id, bucket: 1, accountId, contentId, state: "delivered" } as const;
      const { nextAttemptAt: _, ...message } = queuedMessage(at, common);
      return message;
    });
    await acrossAccounts.messages.insertMany(messages);
    await acrossAccounts.journal.fold(new Date(start + done + AT_ONCE));
    const id = `cnt_${done}`;
    const [createdAt, expireAt] = [new Date(), new Date(Date.now() + 86_400_000)];
    const body = { kind: "raw" as const, source: BODY };
    const content = { id, accountId, body, sizeBytes: BODY.length, createdAt, expireAt };
    await acrossAccounts.contents.insertMany([content]);
  }
  // Like a process that ends: nothing is left to count.
  await acrossAccounts.journal.close(new Date());
  await client.close();
}

const begin = (query = "") => session.open(`/api/account/export${query}`);

interface Read {
  readonly counts: Record<string, number>;
  // biome-ignore lint/suspicious/noExplicitAny: a line is what its kind says
  readonly end: any;
  readonly bodies: number;
}

/**
 * Reads to the end.
 * @param pauseMs after each of the first lines
 */
async function read(answer: http.IncomingMessage, { pauses = 0, pauseMs = 0 } = {}): Promise<Read> {
  const counts: Record<string, number> = {};
  let [left, bodies, end] = [pauses, 0, undefined as unknown];
  for await (const line of createInterface({ input: answer })) {
    const parsed = JSON.parse(line);
    if (parsed.kind === "account" || parsed.kind === "end") end = parsed;
    else counts[parsed.kind] = (counts[parsed.kind] ?? 0) + 1;
    if (parsed.body !== undefined && Buffer.from(parsed.body, "base64").equals(BODY)) bodies++;
    if (left-- > 0) await sleep(pauseMs);
  }
  expect(answer.complete).toBe(true);
  return { counts, end, bodies };
}

const residentBytes = async (field: "VmRSS" | "VmHWM") => {
  const text = await readFile(`/proc/${hermod.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024;
};

it("an owner exports the account as NDJSON, which is a file", async () => {
  const answer = await begin();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/x-ndjson; charset=utf-8",
    "content-disposition": 'attachment; filename="account.ndjson"',
  });
  const { counts, end, bodies } = await read(answer);
  expect(end).toEqual({ kind: "end", counts });
  expect(counts).toMatchObject({ message: MESSAGES, member: 1 });
  expect(bodies).toBe(0);
});

it("refuses wrong parameters, and requests without a session", async () => {
  const wrong = await begin("?bodies=maybe");
  expect(wrong.statusCode).toBe(422);
  wrong.resume();
  const { base_url: url } = hermod.firstRun;
  expect((await fetch(`${url}/api/account/export`)).status).toBe(401);
});

it.runIf(process.platform === "linux")(
  "an export uses limited memory, with bodies and with a reader of any speed",
  async () => {
    await read(await begin());
    const before = await residentBytes("VmRSS");
    const { end, bodies, counts } = await read(await begin("?bodies=true"), { pauses: 100, pauseMs: 20 });
    expect([end, bodies]).toEqual([{ kind: "end", counts }, MESSAGES / WITH_BODY]);
    expect((await residentBytes("VmHWM")) - before).toBeLessThan(MORE_BYTES);
  },
  3_600_000,
);

/** An export that has started, as soon as it gets a slot: abandoned exports release theirs shortly after. */
function beginInTurn(): Promise<http.IncomingMessage> {
  return eventually(async () => {
    const answer = await begin();
    if (answer.statusCode === 200) return answer;
    answer.resume();
    return undefined;
  });
}

it("two exports can run at once, and end with their readers", async () => {
  for (let round = 0; round < 3; round++) {
    const answers = [await beginInTurn(), await beginInTurn()];
    const third = await begin();
    expect(third.statusCode).toBe(503);
    third.resume();
    for (const answer of answers) answer.destroy();
  }
  expect((await read(await beginInTurn())).counts).toMatchObject({ message: MESSAGES });
});

it("the command line writes the export, and ends quietly when its reader stops", async () => {
  const pipe = async (reader: string) => {
    const script = `set -o pipefail; "${process.execPath}" "${MAIN}" account export ${accountId} | ${reader}`;
    const { env } = hermod;
    return promisify(execFile)("bash", ["--norc", "-c", script], { env, maxBuffer: 2 ** 20 });
  };
  const begun = await pipe("head -n 2");
  const [first = "", second = ""] = begun.stdout.trimEnd().split("\n");
  expect(JSON.parse(first)).toMatchObject({ kind: "account", id: accountId, format: 1 });
  expect(JSON.parse(second)).toMatchObject({ kind: "member", role: "owner" });
  expect(begun.stderr).toBe("");
  const { stdout, stderr } = await pipe("tail -n 1");
  expect(JSON.parse(stdout)).toMatchObject({ kind: "end", counts: { message: MESSAGES } });
  expect(stderr).toBe("");
});

it("an export continues after a short outage of the store", async () => {
  const answer = await beginInTurn();
  await once(answer, "readable");
  proxy.cut();
  const reading = read(answer);
  await sleep(300);
  proxy.heal();
  const { end, counts } = await reading;
  expect(end).toEqual({ kind: "end", counts });
  expect(counts).toMatchObject({ message: MESSAGES });
});

/** Fails when the reader detects the failure. */
async function readOn(answer: http.IncomingMessage): Promise<void> {
  for await (const _ of answer);
}

it("an export ends incomplete if the store stays unavailable", async () => {
  const answer = await beginInTurn();
  await once(answer, "readable");
  proxy.cut();
  await expect(readOn(answer)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(answer.complete).toBe(false);
  proxy.heal();
  (await beginInTurn()).destroy();
});

it("an export ends incomplete if the program is killed", async () => {
  const answer = await beginInTurn();
  answer.pause();
  await hermod.kill();
  await expect(readOn(answer)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(answer.complete).toBe(false);
  hermod = await hermod.restart();
});
