import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import type http from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { createStore } from "../../src/store/store.ts";
import { type FlowSession, signIn } from "../harness/flow-session.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";
import { eventually, type Hermod, newSettings, startHermod } from "../harness/start-hermod.ts";

const MAIN = path.resolve(import.meta.dirname, "../../bin/hermod.js");
/** HERMOD_TEST_EXPORT_MESSAGES=2000000 takes some minutes. */
const MESSAGES = Number(process.env.HERMOD_TEST_EXPORT_MESSAGES ?? 100_000);
const AT_ONCE = 1_000;
const MORE_BYTES = 100 * 1024 * 1024;

let store: SharedStore;
let hermod: Hermod;
let session: FlowSession;

beforeAll(async () => {
  store = await startSharedStore();
  // The required memory: with more, garbage is collected later.
  const NODE_OPTIONS = "--max-old-space-size=192";
  const own = { HERMOD_VALIDATE_RESPONSES: "false", NODE_OPTIONS };
  const env = { ...(await newSettings()), ...store.settings, ...own };
  hermod = await startHermod({ env });
  const { accounts } = await hermod.core.accounts.listAccounts({});
  await storeMessages(accounts[0]?.id ?? "");
  session = await signIn(hermod);
}, 3_600_000);
afterAll(async () => {
  await hermod?.dispose();
  await store?.close();
});

/** Delivered messages of one day, a tenth of them with a tag. */
async function storeMessages(accountId: string): Promise<void> {
  const { MONGODB_URL, MONGODB_DATABASE } = store.settings;
  const client = new MongoClient(MONGODB_URL ?? "");
  const { acrossAccounts } = createStore(client.db(MONGODB_DATABASE), testSealing);
  const start = Date.now() - MESSAGES;
  for (let done = 0; done < MESSAGES; done += AT_ONCE) {
    const messages = Array.from({ length: Math.min(AT_ONCE, MESSAGES - done) }, (_, index) => {
      const at = new Date(start + done + index);
      const _id = newIdInBucket("msg", at, 1);
      const { nextAttemptAt: _due, ...message } = queuedMessage(at, {
        _id,
        bucket: 1,
        accountId,
        state: "delivered",
      });
      return { ...message, tags: index % 10 === 0 ? ["tenth"] : [] };
    });
    await acrossAccounts.messages.insertMany(messages);
    await acrossAccounts.journal.fold(new Date(start + done + AT_ONCE));
  }
  // Like a process that ends: nothing remains to be counted.
  await acrossAccounts.journal.close(new Date());
  await client.close();
}

const begin = (query: string) => session.open(`/api/messages/export?${query}`);

/** Reads to the end. @param pauseMs after each of the first chunks */
async function read(answer: http.IncomingMessage, { pauses = 0, pauseMs = 0 } = {}) {
  let lines = 0;
  let left = pauses;
  for await (const chunk of answer) {
    for (const byte of chunk as Buffer) if (byte === 10) lines++;
    if (left-- > 0) await sleep(pauseMs);
  }
  return { lines, complete: answer.complete };
}

const residentBytes = async (field: "VmRSS" | "VmHWM") => {
  const text = await readFile(`/proc/${hermod.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024;
};

const isLinux = process.platform === "linux";

describe("an export of many messages", () => {
  it.runIf(isLinux)(
    "takes less than 100 MB of memory, for any speed of its reader",
    async () => {
      // Memory that the first export allocates is kept.
      expect((await read(await begin("tag=nothing&format=ndjson"))).complete).toBe(true);
      const before = await residentBytes("VmRSS");
      expect(await read(await begin("format=csv"))).toEqual({ lines: MESSAGES + 1, complete: true });
      const tagged = await read(await begin("tag=tenth&format=ndjson"));
      expect(tagged).toEqual({ lines: MESSAGES / 10, complete: true });
      const slow = await read(await begin("format=ndjson"), { pauses: 100, pauseMs: 20 });
      expect(slow).toEqual({ lines: MESSAGES, complete: true });
      expect((await residentBytes("VmHWM")) - before).toBeLessThan(MORE_BYTES);
    },
    3_600_000,
  );

  it("ends with its reader, so that another one may start", async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => begin("")));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
      const fifth = await begin("");
      expect(fifth.statusCode).toBe(503);
      fifth.resume();
      for (const answer of answers) answer.destroy();
      const free = await eventually(async () => {
        const again = await begin("tag=nothing");
        again.resume();
        return again.statusCode === 200 ? true : undefined;
      });
      expect(free).toBe(true);
    }
  });

  it("that is cut off has no regular end", async () => {
    const answer = await begin("");
    answer.pause();
    await hermod.kill();
    await expect(read(answer)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(answer.complete).toBe(false);
    hermod = await hermod.restart();
  });
});

describe("an export at the command line", () => {
  const pipe = async (command: string) => {
    const script = `set -o pipefail; "${process.execPath}" "${MAIN}" ${command} | head -n 2`;
    const { env } = hermod;
    return promisify(execFile)("bash", ["--norc", "-c", script], { env, maxBuffer: 2 ** 20 });
  };

  beforeAll(async () => {
    const detail = "x".repeat(1_000);
    const addresses = Array.from({ length: 500 }, (_, index) => `ann${index}@example.net`);
    await hermod.core.suppressions.addSuppressions({ addresses, detail });
  });

  it.each(["message export", "message export --format ndjson", "suppression export"])(
    "ends silently with a reader that stops reading (%s)",
    async (command) => {
      const { stdout, stderr } = await pipe(command);
      expect(stdout.trimEnd().split("\n")).toHaveLength(2);
      expect(stderr).toBe("");
    },
  );
});
