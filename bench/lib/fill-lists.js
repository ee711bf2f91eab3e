import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MongoClient } from "mongodb";
import { startEmbeddedEngine } from "../../dist/src/engine/start-embedded-engine.js";
import { newId } from "../../dist/src/shared/ids.js";
import { parseSecretKey } from "../../dist/src/shared/secret-keys.js";
import { hashSecret, newSessionToken } from "../../dist/src/shared/secrets.js";
import { createSealing } from "../../dist/src/store/sealing/sealing.js";
import { createStore } from "../../dist/src/store/store.js";
import { listFillers } from "./list-fillers.js";
import { mailFillers } from "./mail-fillers.js";

/** The key of the bench's own data. */
export const SECRET_KEY = "0".repeat(64);
const PROGRESS_MS = 3_000;
const DAY_MS = 86_400_000;

/**
 * Names of what the store has, for parameters of lists.
 * @typedef {{ accountId: string, userId: string, workspaceId: string, [name: string]: string }} Filled
 */

/**
 * @typedef {object} FillContext
 * @property {import("mongodb").Db} db
 * @property {import("../../dist/src/store/store.js").Store} store
 * @property {import("../../dist/src/store/store.js").AccountStore} account
 * @property {Filled} filled
 * @property {Date} now
 * @property {string} run differs in each run, so that names of a run that was killed are not met again
 * @property {(action: string) => any} audit
 */

/**
 * Fills one list, in steps.
 * @typedef {object} Filler
 * @property {string} name
 * @property {number} count
 * @property {number} step entries of one call
 * @property {(context: FillContext, from: number, size: number) => Promise<void>} fill
 * @property {(context: FillContext) => Promise<unknown>} [before] once, ahead of the first step
 */

/**
 * Fills the data of an installation that was started once. A run that is killed is continued by the next one.
 * @param {string} directory
 * @param {{ messages: number, entries: number }} counts
 * @returns {Promise<{ filled: Filled, session: string }>} with the token of a session of the owner
 */
export async function fillLists(directory, { messages, entries }) {
  const engine = await startEmbeddedEngine({ directory });
  const client = new MongoClient(engine.url, { writeConcern: { w: "majority", journal: true } });
  try {
    const db = client.db("hermod");
    const key = parseSecretKey(SECRET_KEY);
    if (!key) throw new Error("The secret key is none.");
    const store = createStore(db, createSealing([key]));
    const progressFile = path.join(directory, "bench-lists.json");
    /** @type {{ done: Record<string, number>, filled: Filled }} */
    const progress = existsSync(progressFile)
      ? JSON.parse(readFileSync(progressFile, "utf8"))
      : { done: {}, filled: await firstNames(db, store) };
    const { done, filled } = progress;
    const save = () => writeFileSync(progressFile, JSON.stringify(progress));
    const member = await db.collection("users").findOne({ _id: /** @type {any} */ (filled.userId) });
    const actor = { kind: "user", id: filled.userId, name: member?.email };
    /** @type {FillContext} */
    const context = {
      db,
      store,
      filled,
      account: store.forAccount(filled.accountId),
      now: new Date(),
      run: randomBytes(3).toString("hex"),
      audit: (action) => ({
        actor,
        action,
        sessionId: "",
        clientAddress: "192.0.2.1",
        clientAgent: "bench",
        traceId: "sx_bench",
        now: () => new Date(),
      }),
    };
    for (const filler of [...listFillers(entries), ...mailFillers(messages, entries)])
      await fillOne(filler, context, done, save);
    return { filled, session: await openSession(store, context, member) };
  } finally {
    await client.close();
    await engine.close();
  }
}

/** @param {Filler} filler @param {FillContext} context @param {Record<string, number>} done @param {() => void} save */
async function fillOne({ name, count, step, fill, before }, context, done, save) {
  let at = done[name] ?? 0;
  if (at >= count) return;
  if (at === 0) await before?.(context);
  const [beganAt, began] = [at, performance.now()];
  let shownAt = performance.now();
  for (; at < count; at += step) {
    await fill(context, at, Math.min(step, count - at));
    done[name] = at + step;
    save();
    if (performance.now() - shownAt < PROGRESS_MS) continue;
    shownAt = performance.now();
    const rate = (at + step - beganAt) / ((shownAt - began) / 1_000);
    process.stderr.write(`${name}: ${at + step} of ${count}, ${rate.toFixed(0)}/s\n`);
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stderr.write(`${name}: all ${count} in ${seconds} s\n`);
}

/** @param {import("mongodb").Db} db @param {import("../../dist/src/store/store.js").Store} store @returns {Promise<Filled>} */
async function firstNames(db, store) {
  const owner = await db.collection("members").findOne({ role: "owner" });
  if (!owner) throw new Error("The first start has made no owner.");
  const workspaces = await store.forAccount(owner.accountId).workspaces.list();
  return { accountId: owner.accountId, userId: owner.userId, workspaceId: workspaces[0]?._id ?? "" };
}

/** @param {import("../../dist/src/store/store.js").Store} store @param {FillContext} context @param {any} user */
async function openSession(store, { filled, now, audit }, user) {
  const token = newSessionToken();
  const ends = new Date(now.getTime() + DAY_MS);
  await store.sessions.insert(
    /** @type {any} */ ({
      _id: newId("ses", now),
      hash: hashSecret(token),
      userId: filled.userId,
      email: user.email,
      accountId: filled.accountId,
      createdAt: now,
      seenAt: now,
      authenticatedAt: now,
      clientAddress: "127.0.0.1",
      clientAgent: "bench",
      endsAt: ends,
      expireAt: ends,
    }),
    audit("session.create"),
  );
  return token;
}
