import { setMaxListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { createResolver } from "../dist/src/dns/resolver.js";
import { createComposePayloads } from "../dist/src/events/compose-payloads.js";
import { systemClock } from "../dist/src/shared/clock.js";
import { createRefuseDestination } from "../dist/src/shared/destination-address.js";
import { newIdInBucket } from "../dist/src/shared/ids.js";
import { createLogger } from "../dist/src/shared/logger.js";
import { parseSecretKey } from "../dist/src/shared/secret-keys.js";
import { newWebhookSecret } from "../dist/src/shared/webhook-signature.js";
import { createEventLog } from "../dist/src/store/event-log.js";
import { createIndexes } from "../dist/src/store/indexes.js";
import { sealWebhook } from "../dist/src/store/sealing/sealed-webhook.js";
import { createSealing } from "../dist/src/store/sealing/sealing.js";
import { createStore } from "../dist/src/store/store.js";
import { createWebhookOutbox } from "../dist/src/store/webhook-outbox.js";
import { createAttemptDelivery } from "../dist/src/webhooks/attempt.js";
import { createComposeBodies } from "../dist/src/webhooks/compose-bodies.js";
import { createPace } from "../dist/src/webhooks/pace.js";
import { createWebhookClient } from "../dist/src/webhooks/webhook-client.js";
import { createWebhookWorker } from "../dist/src/webhooks/worker.js";
import { startChild } from "./lib/children.js";
import { databaseName } from "./lib/hermod.js";
import { inTurn } from "./lib/in-turn.js";
import { loadAverage, machine } from "./lib/machine.js";
import { openDatabase } from "./lib/open-database.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printHead } from "./lib/print-head.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { spread } from "./lib/statistics.js";
import { range, table } from "./lib/table.js";

/** @typedef {{ endpoints: number, troubled: boolean }} Scene troubled: in addition, one endpoint hangs and one refuses */

const ENDPOINTS = [1, 10, 1_000];
const OF_ACCOUNT = 20;
const PARTITIONS = 64;
const EVENTS = 10_000;
const BATCH = 500;
const LOOK_MS = 250;
const GIVE_UP_MS = 300_000;
const key = parseSecretKey("0".repeat(64));
if (!key) throw new Error("the key is none");
const sealing = createSealing([key]);

/** @param {string} accountId @param {number} number @param {Date} at */
function messageOf(accountId, number, at) {
  const bucket = (number * 40_503) % 65_536;
  const _id = newIdInBucket("msg", at, bucket);
  return {
    _id,
    bucket,
    accountId,
    keyId: "key_1",
    traceId: _id.replace("msg", "sx"),
    operation: "email.send",
    source: "http",
    state: "delivered",
    from: "hello@shop.example",
    notDelivered: [],
    recipient: `person${number}@mail.example`,
    recipientDomain: "mail.example",
    policy: "default",
    subject: `Order ${number}`,
    contentId: _id.replace("msg", "cnt"),
    sizeBytes: 4_096,
    headerMessageId: `<${_id}@shop.example>`,
    tags: ["shop"],
    metadata: { order: String(number) },
    partition: number % PARTITIONS,
    priority: "transactional",
    attempts: 1,
    createdAt: at,
    updatedAt: at,
    expireAt: new Date(at.getTime() + 86_400_000),
  };
}

/**
 * Events per second that reach a receiver on this machine, at one endpoint and at many, alone and beside one that hangs
 * and one that refuses; and how many a loop of requests alone makes.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 */
export async function webhooks(values, cleanUp) {
  const rounds = readCount(values, "rounds", 3);
  const events = readCount(values, "messages", EVENTS);
  const scenes = readCounts(values, "endpoints", ENDPOINTS).flatMap((endpoints) => [
    { endpoints, troubled: false },
    { endpoints, troubled: true },
  ]);
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();
  const client = await openDatabase(directory, cleanUp);
  const receiver = startChild("webhook-receiver", cleanUp);
  const { url } = await receiver.ask({});

  /** @type {{ subject: string, round: number, perSecond: number, others: number }[]} */
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    for (const scene of inTurn(scenes, round)) {
      const subject = nameOf(scene);
      measured.push({ subject, round, ...(await measureScene(scene, { client, url, receiver, events })) });
      console.error(`round ${round} of ${rounds}, ${subject}: ${measured.at(-1)?.perSecond.toFixed(0)}/s`);
    }
    for (const atOnce of [10, 100]) {
      const perSecond = await measureLoop(`${url}/taken/loop`, events, atOnce);
      const subject = `requests alone, ${atOnce} at once`;
      measured.push({ subject, round, perSecond, others: 0 });
      console.error(`round ${round} of ${rounds}, ${subject}: ${perSecond.toFixed(0)}/s`);
    }
  }
  const result = { ...about, loadAverages: { before: loadBefore, after: loadAverage() }, events, measured };
  print(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return true;
}

/** @param {Scene} scene */
function nameOf({ endpoints, troubled }) {
  const own = `${endpoints} endpoint${endpoints === 1 ? "" : "s"}`;
  return troubled ? `${own}, one hanging and one refusing beside` : own;
}

/**
 * Stores what has happened, and has a worker deliver it.
 * @param {Scene} scene
 * @param {{ client: import("mongodb").MongoClient, url: string, receiver: import("./lib/children.js").Child, events: number }} means
 */
async function measureScene({ endpoints, troubled }, { client, url, receiver, events }) {
  const db = client.db(databaseName());
  try {
    await createIndexes(db);
    const each = Math.ceil(events / endpoints);
    const expected = each * endpoints;
    await fill(db, { endpoints, troubled, each, url });
    await receiver.ask({ reset: true });
    const stop = startWorker(db);
    const deadline = Date.now() + GIVE_UP_MS;
    let heard = await receiver.ask({});
    while (heard.taken < expected) {
      if (Date.now() > deadline)
        throw new Error(`${heard.taken} of ${expected} events came in five minutes.`);
      await sleep(20);
      heard = await receiver.ask({});
    }
    await stop();
    return { perSecond: (expected / (heard.lastMs - heard.firstMs)) * 1_000, others: heard.others };
  } finally {
    await db.dropDatabase();
  }
}

/**
 * Accounts with at most twenty endpoints, each of which receives every event. The hanging and the refusing endpoint are in an
 * account of its own, with as many events.
 * @param {import("mongodb").Db} db
 * @param {Scene & { each: number, url: string }} scene
 */
async function fill(db, { endpoints, troubled, each, url }) {
  /** @type {[string, string[]][]} */
  const accounts = Array.from({ length: Math.ceil(endpoints / OF_ACCOUNT) }, (_, account) => {
    const count = Math.min(OF_ACCOUNT, endpoints - account * OF_ACCOUNT);
    return [`acc_${account}`, Array.from({ length: count }, (__, n) => `taken/${account}.${n}`)];
  });
  if (troubled) accounts.push(["acc_troubled", ["hanging/1", "refused/1"]]);
  const outbox = createWebhookOutbox(db, createEventLog(db));
  const at = new Date();
  for (const [accountId, paths] of accounts) {
    await db.collection("webhookEndpoints").insertMany(
      paths.map((path, place) => {
        const secrets = [{ secret: newWebhookSecret(), createdAt: at }];
        const endpoint = {
          _id: `wep_${path.replace("/", "_")}`,
          accountId,
          place,
          url: `${url}/${path}`,
          description: "",
          headers: [],
          secrets,
          version: "2026-11-01",
          createdAt: new Date(0),
          updatedAt: at,
          revision: 1,
        };
        return /** @type {any} */ (sealWebhook(sealing, endpoint));
      }),
    );
    for (let from = 0; from < each; from += BATCH) {
      const count = Math.min(BATCH, each - from);
      const messages = Array.from({ length: count }, (_, n) => messageOf(accountId, from + n, at));
      await db.collection("messages").insertMany(/** @type {any[]} */ (messages));
      const happened = messages.map(({ _id: messageId }) => ({ messageId, accountId, kind: "accepted", at }));
      await outbox.add(/** @type {any} */ (happened));
    }
  }
}

/** A worker as the role `worker` starts it, alone in holding all partitions. @param {import("mongodb").Db} db */
function startWorker(db) {
  const {
    webhookDeliveries: deliveries,
    webhooks: endpoints,
    messages,
    events,
  } = createStore(db, sealing).acrossAccounts;
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const client = createWebhookClient({
    resolver: createResolver({}),
    refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
    ipv6: false,
  });
  const worker = createWebhookWorker({
    deliveries,
    endpoints,
    clock: systemClock,
    log: createLogger("warn"),
    partitionCount: PARTITIONS,
    pace: createPace({ mailAttempts: () => 0 }),
    held: () => Array.from({ length: PARTITIONS }, (_, n) => n),
    composeBodies: createComposeBodies(createComposePayloads({ messages, events })),
    attempt: createAttemptDelivery({
      client,
      clock: systemClock,
      random: Math.random,
      agent: "Hermod",
      signal: ending.signal,
    }),
    onDisabled: async () => undefined,
    onDamaged: () => undefined,
    keptMs: 86_400_000,
    abandon: () => ending.abort(),
  });
  void worker.check();
  const timer = setInterval(() => void worker.check(), LOOK_MS);
  return async () => {
    clearInterval(timer);
    await worker.stop(100);
    await client.close();
  };
}

/** The limit: requests of the same size, and nothing else. @param {string} url @param {number} count @param {number} atOnce */
async function measureLoop(url, count, atOnce) {
  const agent = new Agent({ connections: atOnce, pipelining: 1 });
  const body = JSON.stringify(messageOf("acc_1", 1, new Date()));
  let left = count;
  const startedMs = performance.now();
  const one = async () => {
    while (left-- > 0) {
      const headers = { "content-type": "application/json", "webhook-signature": "v1,".padEnd(47, "x") };
      const answer = await request(url, { method: "POST", dispatcher: agent, headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const perSecond = (count / (performance.now() - startedMs)) * 1_000;
  await agent.close();
  return perSecond;
}

/** @param {any} result */
function print({ events, measured, ...about }) {
  const of = (/** @type {string} */ subject) =>
    measured.filter((/** @type {any} */ one) => one.subject === subject);
  const subjects = [...new Set(measured.map((/** @type {any} */ one) => one.subject))];
  const limit = of("requests alone, 10 at once");
  const rows = subjects.map((subject) => {
    const rounds = of(/** @type {string} */ (subject));
    const alone = of(/** @type {string} */ (subject).split(",")[0] ?? "");
    const share = (/** @type {any[]} */ others) =>
      others.length === rounds.length && others !== rounds
        ? range(spread(rounds.map((one, n) => (one.perSecond / others[n].perSecond) * 100)))
        : "-";
    const rates = range(spread(rounds.map((/** @type {any} */ one) => one.perSecond)));
    return [/** @type {string} */ (subject), rates, share(limit), share(alone)];
  });
  const heads = [`webhooks, ${events} events`, "events/s", "% of requests alone, 10", "% of the same alone"];
  printHead(about);
  process.stdout.write(`${table(heads, rows)}\n`);
}
