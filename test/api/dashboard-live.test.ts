import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIdsInOrder } from "../../src/shared/ids.ts";
import { newDomain } from "../../src/store/domain-store.ts";
import type { JournalTailDocument } from "../../src/store/journal-tail-store.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
let url: string;
let accountId: string;
let token: string;
const answered: { readonly route: string; readonly seconds: number | undefined }[] = [];
const nextId = createIdsInOrder("jnl");

beforeAll(async () => {
  world = await openDashboard({
    onResponse: (_method, route, _status, seconds) => answered.push({ route, seconds }),
  });
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId, "viewer")).token;
  url = await world.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => world.close());

/** Announces a change in the journal, and waits until it has settled. */
async function happen(messageId: string, account = accountId): Promise<void> {
  const { db, time, live } = world.identity;
  const at = time.clock.now();
  const entry = { messageId, accountId: account, kind: "delivered", at, attempt: 1 };
  const document: JournalTailDocument = { _id: nextId(at), entries: [entry] };
  await db.collection<JournalTailDocument>("journal").insertOne(document);
  time.pass(1_000);
  await live.read();
}

interface EventData {
  readonly changes: readonly { readonly message_id: string }[];
  readonly resources?: readonly { readonly kind: string; readonly id: string }[];
}

/** A client like EventSource: it does not report an incomplete event. */
async function open(session: string, lastEventId?: string) {
  const abort = new AbortController();
  const answer = await fetch(`${url}/api/events`, {
    headers: {
      accept: "text/event-stream",
      cookie: `hermod=${session}`,
      "sec-fetch-site": "same-origin",
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
    signal: abort.signal,
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const parts = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  let id = "";
  /** The next event; undefined at the end of the stream. */
  async function next(): Promise<{ name: string; data: EventData } | undefined> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { value, done } = await parts.read();
        if (done) return undefined;
        text += Buffer.from(value).toString();
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      id = field("id") ?? id;
      const data = field("data");
      if (data !== undefined) return { name: field("event") ?? "", data: JSON.parse(data) };
      if (field("retry") !== undefined) began();
    }
  }
  let began: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const first = next();
  await begun;
  let isFirst = true;
  return {
    next: () => {
      if (!isFirst) return next();
      isFirst = false;
      return first;
    },
    lastId: () => id,
    close: () => {
      first.catch(() => undefined);
      abort.abort();
    },
  };
}

/** Status of the answer to a stream. The stream is closed at once. */
async function statusOfStream(session: string): Promise<number> {
  const abort = new AbortController();
  const { status } = await fetch(`${url}/api/events`, {
    headers: { cookie: `hermod=${session}`, "sec-fetch-site": "same-origin" },
    signal: abort.signal,
  });
  abort.abort();
  return status;
}

const heard = (event: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["next"]>>) =>
  event?.data.changes.map(({ message_id }) => message_id);

describe("an event stream", () => {
  it("reports changes of its account, and of no other", async () => {
    const other = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const stranger = await world.identity.memberOf(other.account?.id ?? "", "owner");
    const [mine, theirs] = [await open(token), await open(stranger.token)];
    await happen("msg_mine");
    await happen("msg_theirs", other.account?.id);
    expect(heard(await mine.next())).toEqual(["msg_mine"]);
    expect(heard(await theirs.next())).toEqual(["msg_theirs"]);
    mine.close();
    theirs.close();
  });

  it("releases its slot when its reader disconnects, even without events", async () => {
    const { token: own } = await world.identity.memberOf(accountId, "viewer");
    const streams = [];
    // The maximum number for a session.
    for (let count = 0; count < 10; count++) streams.push(await open(own));
    expect(await statusOfStream(own)).toBe(429);
    for (const stream of streams) stream.close();
    await expect.poll(() => statusOfStream(own), { timeout: 30_000 }).toBe(200);
  });

  it("reports changed jobs and domains of its account, including missed changes, and none of another account", async () => {
    const { store, time, live } = world.identity;
    const other = await world.identity.openAccount();
    const [stream, theirs] = [await open(token), await open((await world.identity.memberOf(other)).token)];
    const read = async () => {
      // Changes of resources have the real time, which can be ahead of the clock of the test.
      time.pass(Math.max(0, Date.now() - time.clock.now().getTime()) + 1_000);
      await live.read();
    };
    const { domains, jobs } = store.forAccount(accountId);
    await domains.add(newDomain("shop.example", time.clock.now()), testAudit);
    await read();
    expect(await stream.next()).toEqual({
      name: "resources",
      data: { resources: [{ kind: "domain", id: "shop.example" }] },
    });
    stream.close();
    const job = {
      _id: "job_1",
      kind: "test",
      params: {},
      about: {},
      permission: "messages.write",
      startedBy: testAudit.actor,
      createdAt: time.clock.now(),
    } as const;
    await jobs.begin(job, 1, testAudit);
    await domains.remove("shop.example", testAudit);
    await store.forAccount(other).domains.add(newDomain("other.example", time.clock.now()), testAudit);
    await read();
    const again = await open(token, stream.lastId());
    const told = (await again.next())?.data.resources?.map(({ kind, id }) => `${kind} ${id}`);
    expect(told?.toSorted()).toEqual(["domain shop.example", "job job_1"]);
    expect((await theirs.next())?.data.resources).toEqual([{ kind: "domain", id: "other.example" }]);
    for (const one of [again, theirs]) one.close();
  });

  it("reports endpoints of its account with changed deliveries once, and none of another account", async () => {
    const { store, time, live } = world.identity;
    const other = await world.identity.openAccount();
    const [stream, theirs] = [await open(token), await open((await world.identity.memberOf(other)).token)];
    const now = time.clock.now();
    const delivery = (endpointId: string, eventId: string) => ({
      _id: `${endpointId}.${eventId}`,
      endpointId,
      eventId,
      type: "webhook.test",
      at: now,
      state: "pending" as const,
      attempts: 0,
      dueAt: now,
      tries: [],
      expireAt: new Date(now.getTime() + 86_400_000),
    });
    const note = async () => {
      await store.acrossAccounts.journal.noteDeliveries(time.clock.now());
      time.pass(2_000);
      await live.read();
    };
    const { webhookDeliveries } = store.forAccount(accountId);
    for (const [endpointId, eventId] of [
      ["wep_a", "evt_1"],
      ["wep_a", "evt_2"],
      ["wep_b", "evt_1"],
    ] as const)
      await webhookDeliveries.add(delivery(endpointId, eventId));
    await store.forAccount(other).webhookDeliveries.add(delivery("wep_c", "evt_1"));
    await note();
    const resources = [
      { kind: "webhook", id: "wep_a" },
      { kind: "webhook", id: "wep_b" },
    ];
    expect(await stream.next()).toEqual({ name: "resources", data: { resources } });
    expect((await theirs.next())?.data.resources).toEqual([{ kind: "webhook", id: "wep_c" }]);
    const result = { state: "delivered" as const, at: now, expireAt: now };
    const tried = { at: now, durationMs: 1, url: "https://shop.example/", status: 204, detail: "" };
    const attempted = { ...delivery("wep_b", "evt_1"), accountId };
    await store.acrossAccounts.webhookDeliveries.record([{ delivery: attempted, tried, ...result }]);
    await note();
    expect((await stream.next())?.data.resources).toEqual([{ kind: "webhook", id: "wep_b" }]);
    for (const one of [stream, theirs]) one.close();
  });

  it("reports opened and changed incidents of its account once, and none of another account", async () => {
    const { store, time, live, operator } = world.identity;
    const other = await world.identity.openAccount();
    const [stream, theirs] = [await open(token), await open((await world.identity.memberOf(other)).token)];
    const note = async () => {
      await store.acrossAccounts.journal.noteDeliveries(time.clock.now());
      time.pass(2_000);
      await live.read();
    };
    const alert = { eventType: "e", severity: "info", source: "s", message: "m" };
    const opened: string[] = [];
    for (const owner of [accountId, other]) {
      await operator.rules.putRule({ accountId: owner, settings: { name: "all" } });
      const { outcome } = await operator.alerts.sendAlert({ accountId: owner, alert });
      await operator.alerts.sendAlert({ accountId: owner, alert });
      opened.push(outcome?.incidentIds[0] ?? "");
    }
    await note();
    expect((await stream.next())?.data.resources).toEqual([{ kind: "incident", id: opened[0] }]);
    expect((await theirs.next())?.data.resources).toEqual([{ kind: "incident", id: opened[1] }]);
    await operator.incidents.acknowledgeIncident({ accountId, id: opened[0] ?? "" });
    await note();
    expect((await stream.next())?.data.resources).toEqual([{ kind: "incident", id: opened[0] }]);
    for (const one of [stream, theirs]) one.close();
  });

  it("reports heartbeats of its account that are created, changed, pinged or removed", async () => {
    const { store, time, live, operator } = world.identity;
    const other = await world.identity.openAccount();
    const [stream, theirs] = [await open(token), await open((await world.identity.memberOf(other)).token)];
    const note = async () => {
      await store.acrossAccounts.journal.noteDeliveries(time.clock.now());
      time.pass(2_000);
      await live.read();
    };
    const settings = { name: "backup", periodSeconds: 3_600 };
    const [own, foreign] = [accountId, other].map((owner) =>
      operator.heartbeats.createHeartbeat({ accountId: owner, settings }),
    );
    const { heartbeat, token: secret = "" } = (await own) ?? {};
    const id = heartbeat?.id ?? "";
    const theirId = (await foreign)?.heartbeat?.id;
    await note();
    const resources = [{ kind: "heartbeat", id }];
    expect((await stream.next())?.data.resources).toEqual(resources);
    expect((await theirs.next())?.data.resources).toEqual([{ kind: "heartbeat", id: theirId }]);
    const changes = [
      () => world.app.inject({ method: "GET", url: `/inbound/heartbeats/${secret}` }),
      () => operator.heartbeats.pauseHeartbeat({ accountId, id }),
      () => operator.heartbeats.deleteHeartbeat({ accountId, id }),
    ];
    for (const change of changes) {
      await change();
      await note();
      expect((await stream.next())?.data.resources).toEqual(resources);
    }
    for (const one of [stream, theirs]) one.close();
  });

  it("resumes after its last event, and reports a gap if that is too long ago", async () => {
    const first = await open(token);
    await happen("msg_first");
    expect(heard(await first.next())).toEqual(["msg_first"]);
    first.close();
    const keeper = await open(token);
    await happen("msg_between");
    const second = await open(token, first.lastId());
    expect(heard(await second.next())).toEqual(["msg_between"]);
    const late = await open(token, "1.0");
    expect(await late.next()).toEqual({ name: "gap", data: {} });
    for (const one of [keeper, second, late]) one.close();
  });

  it("ends within one check interval after its session has ended, and is refused then", async () => {
    const { token: ending } = await world.identity.memberOf(accountId, "viewer");
    const stream = await open(ending);
    await world.identity.as({ session: ending }).sessions.signOut({});
    world.identity.time.pass(20_000);
    world.identity.live.beat();
    answered.length = 0;
    expect(await stream.next()).toBeUndefined();
    expect((await world.ask("GET", "/api/events", { token: ending })).status).toBe(401);
    // Its duration depends on its reader, and is no measure of response times.
    const route = "/api/events";
    expect(answered).toEqual([
      { route, seconds: undefined },
      { route, seconds: expect.any(Number) },
    ]);
  });

  it("refuses pages of other sites with any headers", async () => {
    const of = (headers: Record<string, string>) =>
      world.ask("GET", "/api/events", { token, headers: { accept: "*/*", ...headers } });
    for (const site of ["cross-site", "same-site", "none"]) {
      expect((await of({ "sec-fetch-site": site })).problem.code).toBe("request.cross_site");
    }
  });

  it("answers HEAD without a body", async () => {
    const headers = { cookie: `hermod=${token}`, "sec-fetch-site": "same-origin" };
    const answer = await fetch(`${url}/api/events`, { method: "HEAD", headers });
    expect([answer.status, answer.headers.get("x-accel-buffering")]).toEqual([200, "no"]);
  });

  it("ends at once when its process ends", async () => {
    const stream = await open(token);
    const end = stream.next();
    const closing = world.app.close();
    expect(await end).toBeUndefined();
    // The client reuses its connections for other requests.
    world.app.server.closeAllConnections();
    await closing;
  });
});
