import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { eventTypes } from "../../contracts/events.ts";
import { expectPayload } from "../harness/expect-payload.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { replicaSet } from "../harness/replica-set.ts";
import { eventually, type Hermod, newSettings, removeData, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** HERMOD_TEST_WEBHOOK_MESSAGES=20000 and HERMOD_TEST_WEBHOOK_KILLS=30 take half an hour. */
const MESSAGES = Number(process.env.HERMOD_TEST_WEBHOOK_MESSAGES ?? 300);
const KILLS = Number(process.env.HERMOD_TEST_WEBHOOK_KILLS ?? 3);

/** With a replica set, every other kill is that of its primary. */
const { HERMOD_TEST_REPLICA_SET_DIR: replicaSetDir, MONGODB_URL = "" } = process.env;
/** Other processes search for the remaining events of a killed process half a minute later. */
const PATIENCE_MS = 90_000;

interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly message_id: string; readonly sequence: number; readonly sandbox?: boolean };
}

interface Receiver {
  readonly url: string;
  /** Number of deliveries of each event by its id, and its body. */
  readonly heard: Map<string, { times: number; body: string }>;
  secret: string;
  /** Deliveries with a wrong signature, or with a changed body. */
  readonly wrong: string[];
  status: number;
  close(): void;
}

async function receive(): Promise<Receiver> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers["webhook-id"]);
    try {
      new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
    } catch (error) {
      receiver.wrong.push(`${id}: ${error}`);
    }
    try {
      expectPayload(JSON.parse(body));
    } catch (error) {
      receiver.wrong.push(`${id}: ${error}`);
    }
    if (receiver.status === 200) {
      const known = receiver.heard.get(id) ?? { times: 0, body };
      if (known.body !== body) receiver.wrong.push(`${id} says something else`);
      receiver.heard.set(id, { times: known.times + 1, body });
    }
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    heard: new Map(),
    secret: "",
    wrong: [],
    status: 200,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

let env: NodeJS.ProcessEnv;
let hermod: Hermod;
const receivers: Receiver[] = [];

beforeAll(async () => {
  const port = String(await freePort());
  env = {
    ...(await newSettings()),
    HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
    HERMOD_HTTP_PORT: port,
    HERMOD_BASE_URL: `http://127.0.0.1:${port}`,
  };
  hermod = await startHermod({ env });
});
afterAll(async () => {
  await hermod?.stop();
  await removeData(env);
});
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function endpoint(settings: { types?: string[]; tags?: string[] } = {}) {
  const receiver = await receive();
  receivers.push(receiver);
  const made = await hermod.core.webhooks.createWebhook({ settings: { url: receiver.url, ...settings } });
  receiver.secret = made.secret;
  return { receiver, id: made.webhook?.id ?? "" };
}

const toldTo = ({ heard }: Receiver) => [...heard.values()].map(({ body }) => JSON.parse(body) as Told);

it("delivers the subscribed events to each endpoint, signed and in order", async () => {
  const all = await endpoint();
  const some = await endpoint({ types: ["message.delivered"], tags: ["shop"] });
  const { accepted } = await post(hermod, email({ tags: ["shop"] }));
  await post(hermod, email({ tags: ["other"] }));
  await eventually(async () => (all.receiver.heard.size >= 4 ? true : undefined));
  await eventually(async () => (some.receiver.heard.size >= 1 ? true : undefined));
  const mine = toldTo(all.receiver).filter(({ data }) => data.message_id === accepted.message_id);
  expect(mine.sort((a, b) => a.data.sequence - b.data.sequence)).toMatchObject([
    { id: `${accepted.message_id}.0.accepted`, type: "message.accepted", data: { sequence: 1 } },
    { type: "message.delivered", data: { sequence: 2, sandbox: true } },
  ]);
  expect(toldTo(some.receiver)).toMatchObject([
    { type: "message.delivered", data: { message_id: accepted.message_id } },
  ]);
  expect([all.receiver.wrong, some.receiver.wrong]).toEqual([[], []]);
  // Results are written together, shortly after the endpoints have answered.
  const ended = await eventually(async () => {
    const asked = { messageId: accepted.message_id };
    const { deliveries } = await hermod.core.deliveries.listDeliveriesOfMessage(asked);
    return deliveries.every(({ state }) => state !== "pending") ? deliveries : undefined;
  });
  expect(ended.map(({ state, attempts }) => [state, attempts])).toEqual([
    ["delivered", 1],
    ["delivered", 1],
    ["delivered", 1],
  ]);
  for (const { id } of [all, some]) await hermod.core.webhooks.deleteWebhook({ id, force: true });
});

it("sends a test event, and replays failed deliveries on request", async () => {
  const { receiver, id } = await endpoint();
  receiver.status = 410;
  const { deliveryId } = await hermod.core.webhooks.sendTestEvent({ id });
  const stateOf = async () => (await hermod.core.deliveries.getDelivery({ id: deliveryId })).delivery;
  await eventually(async () => (await stateOf())?.state === "failed" || undefined);
  expect((await stateOf())?.tries).toMatchObject([{ status: 410, url: receiver.url }]);
  const { webhook } = await eventually(async () => {
    const found = await hermod.core.webhooks.getWebhook({ id });
    return found.webhook?.disabled ? found : undefined;
  });
  expect(webhook?.disabled).toMatchObject({ reason: "gone" });
  await hermod.core.webhooks.enableWebhook({ id });
  receiver.status = 200;
  await hermod.core.deliveries.replayDelivery({ id: deliveryId });
  await eventually(async () => (receiver.heard.size === 1 ? true : undefined));
  expect(toldTo(receiver)).toMatchObject([{ type: "webhook.test" }]);
  await eventually(async () => (await stateOf())?.state === "delivered" || undefined);
  expect(receiver.wrong).toEqual([]);
  await hermod.core.webhooks.deleteWebhook({ id, force: true });
});

it("reports addresses, domains and unsubscriptions, and sends examples as tests", async () => {
  const { receiver, id } = await endpoint();
  await hermod.core.suppressions.addSuppression({ address: "told@example.org" });
  await hermod.core.suppressions.removeSuppression({ address: "told@example.org" });
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "news", transports, listUnsubscribe: true } });
  await hermod.core.domains.addDomain({ domain: "example.com" });
  const { accepted } = await post(hermod, email({ routing_policy: "news", to: "bea@example.org" }));
  const source = await eventually(() => capturedSource(hermod, accepted.message_id));
  const header = source.subarray(0, source.indexOf("\r\n\r\n")).toString("latin1");
  const [, link = ""] = /^List-Unsubscribe: <(.*)>/m.exec(header.replace(/\r\n[ \t]+/g, " ")) ?? [];
  await fetch(link, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  for (const type of eventTypes) await hermod.core.webhooks.sendTestEvent({ id, type });
  const happened = [
    ...["message.accepted", "message.delivered", "message.unsubscribed"],
    ...["suppression.created", "suppression.deleted", "suppression.created"],
  ];
  const wanted = happened.length + eventTypes.length;
  await eventually(async () => (receiver.heard.size >= wanted ? true : undefined));
  const told = toldTo(receiver);
  const real = told.filter(({ id: eventId }) => !eventId.startsWith("wte_"));
  expect(real.map(({ type }) => type).sort()).toEqual(happened.sort());
  expect(real.find(({ type }) => type === "message.unsubscribed")).toMatchObject({
    data: { message_id: accepted.message_id, recipient: "bea@example.org", routing_policy: "news" },
  });
  expect(receiver.wrong).toEqual([]);
  await hermod.core.webhooks.deleteWebhook({ id, force: true });
});

/** Follows the event log like a service: it continues after its last cursor when the core was unavailable. */
function follow(after: string) {
  const times = new Map<string, number>();
  const state = { isOver: false };
  const isOver = () => state.isOver;
  const following = (async () => {
    for (let cursor = after; !isOver(); ) {
      try {
        for await (const page of hermod.core.events.watchEvents({ after: cursor })) {
          for (const { id } of page.events) times.set(id, (times.get(id) ?? 0) + 1);
          cursor = page.cursor;
          if (isOver()) break;
        }
      } catch {
        await sleep(200);
      }
    }
  })();
  const end = () => {
    state.isOver = true;
    return following;
  };
  return { times, end };
}

it("loses no event in kills, and repeats events only with the same id", { timeout: 3_600_000 }, async () => {
  const start = await hermod.core.events.listEvents({ pageSize: 1 });
  const service = follow(start.cursor);
  const made = await Promise.all([endpoint(), endpoint(), endpoint()]);
  const set = replicaSetDir ? replicaSet(replicaSetDir, MONGODB_URL) : undefined;
  const accepted: string[] = [];
  let begun = 0;
  const send = async () => {
    while (begun < MESSAGES) {
      begun++;
      const idempotencyKey = `message-${begun}`;
      await eventually(async () => {
        const answer = await post(hermod, email(), { headers: { "idempotency-key": idempotencyKey } }).catch(
          () => undefined,
        );
        if (answer?.status !== 202) return undefined;
        accepted.push(answer.accepted.message_id);
        return true;
      });
    }
  };
  const sending = Promise.all(Array.from({ length: 8 }, send));
  for (let kill = 1; kill <= KILLS; kill++) {
    await eventually(async () => (accepted.length >= (MESSAGES * kill) / (KILLS + 1) ? true : undefined));
    if (set && kill % 2 === 0) {
      await set.killPrimary();
      continue;
    }
    await hermod.kill();
    hermod = await hermod.restart();
  }
  await sending;
  const wanted = new Set(accepted);
  expect(wanted.size).toBe(MESSAGES);
  /** Any attempt number: an attempt that was interrupted with the store counts. */
  const missing = ({ receiver: { heard } }: (typeof made)[number]) => {
    const ids = [...heard.keys()].filter((id) => id.endsWith(".captured"));
    const delivered = new Set(ids.map((id) => id.split(".", 1)[0]));
    return accepted.filter((id) => !heard.has(`${id}.0.accepted`) || !delivered.has(id));
  };
  await eventually(
    async () => (made.every((one) => missing(one).length === 0) ? true : undefined),
    PATIENCE_MS + MESSAGES * 20,
  ).catch(() => undefined);
  const [lost] = made.flatMap(missing);
  const timeline = lost && (await hermod.core.messages.getMessage({ id: lost })).timeline;
  expect([made.map((one) => missing(one).length), lost, timeline]).toEqual([[0, 0, 0], undefined, undefined]);
  for (const { receiver } of made) {
    expect(receiver.wrong).toEqual([]);
    // For each message it received the acceptance and the delivery, regardless of duplicates.
    expect([...receiver.heard.keys()].filter((id) => id.endsWith(".0.accepted")).length).toBe(MESSAGES);
  }
  // A service receives once all events that endpoints received, some of which are duplicates for these.
  const [{ receiver: first }] = made;
  await eventually(async () => [...first.heard.keys()].every((id) => service.times.has(id)) || undefined);
  await service.end();
  expect([...service.times].filter(([, times]) => times > 1)).toEqual([]);
  const repeats = made.flatMap(({ receiver }) =>
    [...receiver.heard.values()].filter(({ times }) => times > 1),
  );
  process.stdout.write(`webhooks: ${3 * 2 * MESSAGES} events, ${KILLS} kills, ${repeats.length} repeated\n`);
});
