import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "mongodb";
import type { CounterDocument, CounterStep } from "../../src/store/counters/counter-documents.ts";
import { counterDimensions, counterKinds, keyOfValue } from "../../src/store/counters/counter-documents.ts";
import { type SendingDayDocument, sendingKinds } from "../../src/store/counters/sending-days.ts";
import { factsOf } from "../../src/store/journal/journal-documents.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore } from "../../src/store/store.ts";
import { logged, toBeLogged } from "./event-log.ts";
import { testSealing } from "./sealing.ts";
import { storedEvents } from "./stored-events.ts";

/** Latencies in one bin of a sketch with 3 % accuracy differ by less than this factor. */
const GAMMA = 1.03 / 0.97;

/** Counts by `account minute dimension value kind`, and latencies by `... latency bin`. */
export type Recount = Record<string, number>;

/** Computes the expected counters from the stored messages and events only. */
export async function recount(db: Db, stepMs = 60_000): Promise<Recount> {
  const messages = await db.collection<MessageDocument>("messages").find().toArray();
  const events = await storedEvents(db);
  const byId = new Map(messages.map((message) => [message._id, message]));
  const counts: Recount = {};
  const count = (message: MessageDocument, kind: string, at: Date, category?: string) => {
    const facts = factsOf(message);
    const latencyMs = Math.max(at.getTime() - (message.sendAt ?? message.createdAt).getTime(), 1);
    const start = new Date(Math.floor(at.getTime() / stepMs) * stepMs).toISOString();
    const values = [
      ["total", ""],
      ["category", category],
      ["provider", facts.provider],
      ["policy", facts.policy],
      ["source", facts.source],
      ["key", message.keyId || undefined],
      ["template", message.template?.name],
      ["sending_domain", message.from.slice(message.from.lastIndexOf("@") + 1).toLowerCase()],
      ...[...new Set(message.tags)].map((tag) => ["tag", tag]),
    ];
    for (const [dimension, value] of values) {
      if (value === undefined) continue;
      const key = `${message.accountId} ${start} ${dimension} ${keyOfValue(value)} ${kind}`;
      counts[key] = (counts[key] ?? 0) + 1;
      if (kind !== "delivered") continue;
      const latency = key.replace(
        /delivered$/,
        `latency ${Math.ceil(Math.log(latencyMs) / Math.log(GAMMA))}`,
      );
      counts[latency] = (counts[latency] ?? 0) + 1;
    }
  };
  for (const message of messages) {
    count(message, "accepted", message.createdAt);
    if (message.sendAt) count(message, "scheduled", message.createdAt);
  }
  for (const { messageId, kind, at, category, hit } of events) {
    const message = byId.get(messageId);
    // Only a person's first open or click of a message counts.
    if ((kind === "opened" || kind === "clicked") && !hit?.first) continue;
    if (message && (counterKinds as readonly string[]).includes(kind)) count(message, kind, at, category);
  }
  return counts;
}

/** Counts everything that has its place in the event log. */
export async function countAll(db: Db): Promise<void> {
  const { eventLog } = createStore(db, testSealing).acrossAccounts;
  while ((await eventLog.firstUncounted()) !== undefined) {
    await eventLog.countSome();
    await sleep(10);
  }
}

/** Returns the stored counters, after everything with a place is counted. */
export async function counted(db: Db, step: CounterStep = "minute"): Promise<Recount> {
  await countAll(db);
  const counts: Recount = {};
  for (const document of await db.collection<CounterDocument>("counters").find({ step }).toArray()) {
    for (const dimension of counterDimensions) {
      for (const [value, kinds] of Object.entries(document[dimension] ?? {})) {
        for (const [kind, n] of Object.entries(kinds)) {
          counts[`${document.accountId} ${document.at.toISOString()} ${dimension} ${value} ${kind}`] = n;
        }
      }
      for (const [value, bins] of Object.entries(document[`latency_${dimension}`] ?? {})) {
        for (const [bin, n] of Object.entries(bins)) {
          const key = `${document.accountId} ${document.at.toISOString()} ${dimension} ${value} latency ${bin}`;
          counts[key] = n;
        }
      }
    }
  }
  return counts;
}

/** Computes the expected counters of sending domains in the same way: by `sending account day domain provider kind`. */
export async function recountSending(db: Db): Promise<Recount> {
  const messages = await db.collection<MessageDocument>("messages").find().toArray();
  const events = await storedEvents(db);
  const byId = new Map(messages.map((message) => [message._id, message]));
  const counts: Recount = {};
  for (const { messageId, kind, at } of events) {
    const message = byId.get(messageId);
    if (!message || !(sendingKinds as readonly string[]).includes(kind)) continue;
    const { provider = "", sender } = factsOf(message);
    const names: Record<string, string> = { google: "gmail", yahoo: "yahoo", microsoft: "outlook" };
    const day = at.toISOString().slice(0, 10);
    const key = `sending ${message.accountId} ${day} ${sender} ${names[provider] ?? "other"} ${kind}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

export async function countedSending(db: Db): Promise<Recount> {
  await countAll(db);
  const counts: Recount = {};
  const days = db.collection<SendingDayDocument>("sendingDays");
  for (const { accountId, day, domain, counts: byProvider } of await days.find().toArray()) {
    for (const [provider, kinds] of Object.entries(byProvider)) {
      for (const [kind, n] of Object.entries(kinds))
        counts[`sending ${accountId} ${day} ${domain} ${provider} ${kind}`] = n;
    }
  }
  return counts;
}

const HOUR_MS = 3_600_000;

/**
 * Compares the counters and the event log with the expected ones, after counting everything that killed processes
 * left. Their timeout is skipped. No operation may be running.
 */
export async function miscounted(db: Db): Promise<{ readonly expected: Recount; readonly found: Recount }> {
  const { journal } = createStore(db, testSealing).acrossAccounts;
  for (let hours = 1; ; hours++) {
    const later = new Date(Date.now() + hours * HOUR_MS);
    await journal.recover(later, () => later);
    const expected = { ...(await recount(db)), ...(await recountSending(db)), ...(await toBeLogged(db)) };
    const found = { ...(await counted(db)), ...(await countedSending(db)), ...(await logged(db)) };
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
    const wrong = keys.filter((key) => expected[key] !== found[key]);
    // Another process may have held the lease.
    if (wrong.length > 0 && hours < 20) {
      await sleep(500);
      continue;
    }
    const only = (counts: Recount) =>
      Object.fromEntries(wrong.flatMap((key) => (counts[key] === undefined ? [] : [[key, counts[key]]])));
    return { expected: only(expected), found: only(found) };
  }
}
