import { createCounterStore } from "../../dist/src/store/counter-store.js";
import {
  counterId,
  countersOf,
  keyOfValue,
  stepMs,
} from "../../dist/src/store/counters/counter-documents.js";

const DAY_MS = 86_400_000;
/** As far back as counters of each step are read at once. */
const DAYS = /** @type {const} */ ({ minute: 1, hour: 30, day: 731 });
const BATCH = 100;

/** @typedef {import("../../dist/src/store/counter-store.js").CounterQuery} Query */

/** Counters of an account with many recipient domains and tags, in all steps. @param {import("mongodb").Db} db @param {string} accountId @param {Date} end */
export async function fillCounters(db, accountId, end) {
  const values = {
    total: ["all"],
    category: ["invalid_mailbox", "spam", "rate_limit"],
    provider: Array.from({ length: 200 }, (_, number) => `mail${number}.example`),
    policy: ["default", "rare"],
    tag: Array.from({ length: 20 }, (_, number) => `tag${number}`),
    source: ["http", "smtp"],
  };
  /** @param {readonly string[]} of */
  const counted = (of) =>
    Object.fromEntries(of.map((value) => [keyOfValue(value), { accepted: 120, delivered: 117, bounced: 3 }]));
  const dimensions = Object.fromEntries(Object.entries(values).map(([name, of]) => [name, counted(of)]));
  for (const step of /** @type {const} */ (["minute", "hour", "day"])) {
    const starts = [];
    for (let atMs = end.getTime() - DAYS[step] * DAY_MS; atMs < end.getTime(); atMs += stepMs[step]) {
      starts.push(new Date(Math.floor(atMs / stepMs[step]) * stepMs[step]));
    }
    for (let from = 0; from < starts.length; from += BATCH) {
      const batch = starts.slice(from, from + BATCH).map((at) => ({
        _id: counterId(accountId, step, at),
        accountId,
        step,
        at,
        ...dimensions,
        expireAt: new Date(end.getTime() + 60 * DAY_MS),
      }));
      await countersOf(db).insertMany(batch);
    }
  }
}

/**
 * Counter queries of the dashboard pages.
 * @param {import("mongodb").Db} db @param {string} accountId @param {Date} end
 * @returns {[string, () => Promise<number>][]} each says how many counts it read
 */
export function counterReads(db, accountId, end) {
  const store = createCounterStore(db).forAccount(accountId);
  /** @param {Query["step"]} step @param {Query["dimension"]} dimension @param {number} days @returns {[string, () => Promise<number>]} */
  const read = (step, dimension, days) => [
    `counters of ${days} days, by ${step} and ${dimension}`,
    async () =>
      (await store.read({ step, dimension, from: new Date(end.getTime() - days * DAY_MS), until: end }))
        .length,
  ];
  return [
    read("minute", "total", 1),
    read("hour", "total", 30),
    read("hour", "provider", 7),
    read("hour", "provider", 30),
    read("day", "total", 731),
    read("day", "tag", 365),
    read("day", "provider", 731),
  ];
}
