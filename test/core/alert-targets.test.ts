import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAlertEngine } from "../../src/core/alerts/create-alert-engine.ts";
import { createNotifyUndelivered } from "../../src/core/alerts/notify-undelivered.ts";
import type { Letter } from "../../src/core/system-mail/letter.ts";
import type { SystemMail } from "../../src/core/system-mail/system-mail.ts";
import { fault } from "../../src/shared/fault.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { Store } from "../../src/store/store.ts";
import { targetCollections } from "../../src/store/target-documents.ts";
import { type AlertAccount, openAlertAccount } from "../harness/alert-account.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";
import { startTargetServer, type TargetServer } from "../harness/target-server.ts";
import { createLocalClient, startTargetWorker } from "../harness/target-worker.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let identity: Identity;
let account: AlertAccount;
let server: TargetServer;
let worker: ReturnType<typeof startTargetWorker>;

beforeAll(async () => {
  identity = await openIdentity({ allowPrivate: true });
  await identity.operator.accounts.createAccount({ name: "Operator" });
  server = await startTargetServer(() => identity.time.clock.now().getTime());
});
afterAll(async () => {
  await server.close();
  await identity.close();
});
beforeEach(async () => {
  account = await openAlertAccount(identity);
  server.behave = () => undefined;
  worker = startTargetWorker(identity.store, identity.time);
});
afterEach(() => worker.stop());

let count = 0;

async function newTarget(kind: "webhook" | "slack" | "teams", settings: object = {}): Promise<string> {
  const name = `${kind}-${count++}`;
  const { target, secret } = await identity.operator.targets.createTarget({
    accountId: account.accountId,
    kind,
    settings: { name, url: server.url(kind, name), ...settings },
  });
  if (kind === "webhook") server.secrets.add(secret);
  return target?.id ?? "";
}

const deliveries = () =>
  targetCollections(identity.db)
    .deliveries.find({ accountId: account.accountId })
    .sort({ at: 1, _id: 1 })
    .toArray();
const ofAccount = async () => {
  const ids = new Set((await deliveries()).map(({ eventId }) => eventId));
  return server.requests.filter(({ id }) => ids.has(id));
};

/** The only incident of the account, with its history. */
async function incidentDetails() {
  const [{ id = "" } = {}] = await account.incidents();
  return identity.operator.incidents.getIncident({ accountId: account.accountId, id });
}

/** Time passes in steps, in which due notices and deliveries are sent. */
async function pass(ms: number, stepMs = MINUTE): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    identity.time.pass(stepMs);
    await account.check();
    await worker.run();
  }
}

describe("an incident of a rule with targets", () => {
  it("is posted to each target of each kind once, and its history shows the outcome", async () => {
    const targets = [await newTarget("slack"), await newTarget("teams"), await newTarget("webhook")];
    await account.putRule({ targets });
    const { outcome } = await account.ingest();
    expect(outcome?.status).toBe("routed");
    await worker.run();
    expect(await account.mails()).toHaveLength(1);
    const requests = await ofAccount();
    expect(requests.map(({ kind, status }) => [kind, status]).sort()).toEqual([
      ["slack", 200],
      ["teams", 202],
      ["webhook", 204],
    ]);
    // The receivers see one id.
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    const { history } = await incidentDetails();
    const [notice] = history.filter(({ kind }) => kind === "notice");
    expect(notice?.detail).toBe("First notice. Sent to ops@example.net. Sent to 3 alert targets.");
    expect(notice?.deliveries.map(({ targetId, state, attempts }) => [targetId, state, attempts])).toEqual(
      targets.map((id) => [id, "delivered", 1]),
    );
    await account.ingest({ status: "resolved" });
    await worker.run();
    expect(await ofAccount()).toHaveLength(6);
    const last = (await ofAccount()).at(-1);
    expect(last?.body).toMatch(/resolved|RESOLVED/);
  });

  it("needs no mail: recipients and a sender may be missing", async () => {
    const target = await newTarget("slack");
    await account.putRule({ recipients: [], from: undefined, targets: [target] });
    const { outcome } = await account.ingest();
    expect(outcome).toMatchObject({ status: "routed", messageIds: [] });
    await worker.run();
    expect(await account.mails()).toEqual([]);
    expect(await ofAccount()).toHaveLength(1);
  });

  it("escalates to the targets of a step, until it is acknowledged", async () => {
    const [first, second] = [await newTarget("slack"), await newTarget("teams")];
    const escalation = [{ afterSeconds: 600, recipients: [], targets: [second] }];
    await account.putRule({
      recipients: [],
      from: undefined,
      targets: [first],
      escalation,
      repeatSeconds: 0,
    });
    await account.ingest();
    await worker.run();
    expect((await ofAccount()).map(({ kind }) => kind)).toEqual(["slack"]);
    await pass(11 * MINUTE);
    expect((await ofAccount()).map(({ kind }) => kind)).toEqual(["slack", "teams"]);
    const [{ id = "" } = {}] = await account.incidents();
    await identity.operator.incidents.acknowledgeIncident({ accountId: account.accountId, id });
    await pass(DAY, HOUR);
    expect(await ofAccount()).toHaveLength(2);
  });

  it("is posted although its mail cannot be created", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ targets: [target] });
    const other = account.engine(async () => {
      throw fault("policy.unknown");
    });
    identity.time.pass(1);
    const { accountId } = account;
    const at = identity.time.clock.now();
    const alert = { eventType: "e", severity: "critical", source: "s", message: "m", context: {} } as const;
    const common = { accountId, traceId: "sx_1", keyId: "", at, status: "firing" as const, links: [] };
    const expireAt = new Date(at.getTime() + DAY);
    await other.take(accountId, [{ _id: `alr_${accountId}`, ...common, alert, fingerprint: "f", expireAt }]);
    await worker.run();
    expect(await account.mails()).toEqual([]);
    expect((await ofAccount()).map(({ status }) => status)).toEqual([204]);
  });

  it("of a target that was removed with force names it in its history, and sends the rest", async () => {
    const [kept, gone] = [await newTarget("slack"), await newTarget("teams")];
    await account.putRule({ targets: [kept, gone] });
    const { accountId } = account;
    const remove = { accountId, id: gone, force: true };
    await identity.operator.targets.deleteTarget(remove);
    await account.ingest();
    await worker.run();
    expect((await ofAccount()).map(({ kind }) => kind)).toEqual(["slack"]);
    const { history } = await incidentDetails();
    const failed = history.filter(({ kind }) => kind === "notice_failed");
    expect(failed.map(({ detail }) => detail)).toEqual([`notice 1: the alert target ${gone} was removed`]);
  });

  it("drops waiting deliveries of a removed target", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ targets: [target] });
    server.behave = () => ({ status: 503 });
    await account.ingest();
    await worker.run();
    await identity.operator.targets.deleteTarget({ accountId: account.accountId, id: target, force: true });
    await worker.run();
    const { history } = await incidentDetails();
    expect(history.flatMap((entry) => entry.deliveries)).toMatchObject([
      { state: "dropped", detail: "the alert target was removed" },
    ]);
    expect(await targetCollections(identity.db).queues.findOne({ _id: target })).toBeNull();
  });

  it("sends digests to a target that has reached the notification limit", async () => {
    const target = await newTarget("slack");
    const limits = { mailsPerHour: 1, digestSeconds: 60 };
    await account.putRule({ recipients: [], from: undefined, targets: [target], ...limits });
    for (let n = 0; n < 5; n++) await account.ingest({ entityId: `web-${n}`, severity: "warning" });
    await pass(3 * MINUTE);
    const found = await deliveries();
    expect(found.map(({ type }) => type)).toEqual(["incident.notice", "incident.digest"]);
    const [, digest] = await ofAccount();
    expect(digest?.body).toContain("4 notices were collected");
    expect(found.every(({ state }) => state === "delivered")).toBe(true);
  });
});

describe("a delivery to a target", () => {
  it("keeps one message per second and channel of Slack in a storm", async () => {
    const target = await newTarget("slack");
    await account.putRule({ recipients: [], from: undefined, targets: [target], mailsPerHour: 1_000 });
    for (let n = 0; n < 20; n++) await account.ingest({ entityId: `web-${n}` });
    const beganMs = identity.time.clock.monotonicMs();
    await worker.run();
    const requests = await ofAccount();
    expect(requests).toHaveLength(20);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect(identity.time.clock.monotonicMs() - beganMs).toBeGreaterThanOrEqual(18_000);
  });

  it("waits for Retry-After with all deliveries to the target, and then sends them", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ recipients: [], from: undefined, targets: [target] });
    server.behave = () => ({ status: 429, headers: { "retry-after": "120" } });
    await account.ingest({ entityId: "web-1" });
    await worker.run();
    server.behave = () => undefined;
    await account.ingest({ entityId: "web-2" });
    await pass(110_000, 10_000);
    expect((await ofAccount()).map(({ status }) => status)).toEqual([429]);
    await pass(20_000, 10_000);
    expect((await ofAccount()).map(({ status }) => status)).toEqual([429, 204, 204]);
  });

  it("is refused at once by a chat service, and the history, the target and the owners say why", async () => {
    const target = await newTarget("slack");
    await account.putRule({ targets: [target] });
    server.behave = () => ({ status: 404, body: "no_service" });
    await account.ingest();
    await worker.run();
    await pass(HOUR);
    const all = (await ofAccount()).filter(({ status }) => status === 404);
    const { history } = await incidentDetails();
    const failed = history.filter(({ kind }) => kind === "notice_failed");
    // The repetition of an open incident is a notice of its own.
    expect(failed).toHaveLength(all.length);
    expect(failed[0]?.detail).toMatch(
      /^notice 1 to alert target slack-\d+ after 1 attempt: it answered 404 \(no_service\)$/,
    );
    const shown = await identity.operator.targets.getTarget({ accountId: account.accountId, id: target });
    expect(shown.target).toMatchObject({ state: "failing", lastFailure: "it answered 404" });
    const letters: { readonly to: string; readonly letter: Letter }[] = [];
    const notify = async (to: string, letter: Letter) => void letters.push({ to, letter });
    const { email: owner } = await identity.memberOf(account.accountId, "owner");
    const { store, time } = identity;
    const needs = { store, systemMail: { notify } as SystemMail, clock: time.clock };
    await createNotifyUndelivered({ ...needs, log: createLogger("silent") })();
    const [own] = letters.filter(({ to }) => to === owner);
    expect(own?.letter.subject).toBe("Alert notices do not reach their targets");
    expect(own?.letter.paragraphs).toEqual([
      expect.stringMatching(/^Alert targets of your account have not accepted notices since /),
      expect.stringMatching(/^Alert rule "pager", alert target "slack-\d+": it answered 404: no_service$/),
    ]);
  });

  it("is tried 12 times within hours, and ends in the history", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ recipients: [], from: undefined, targets: [target], repeatSeconds: 0 });
    server.behave = () => ({ status: 500, body: `failed at ${server.url("webhook")}` });
    await account.ingest();
    await worker.run();
    for (let n = 0; n < 30; n++) await pass(30 * MINUTE, 30 * MINUTE);
    const requests = await ofAccount();
    expect(requests).toHaveLength(12);
    expect(new Set(requests.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: "failed", attempts: 12 }]);
    const { history } = await incidentDetails();
    expect(history.at(-1)).toMatchObject({ kind: "notice_failed", deliveries: [{ state: "failed" }] });
  });

  it("has no part of the URL, which is a secret, and no header value in what is stored and shown", async () => {
    const headers = [{ name: "X-Key", value: "their-own-token" }];
    const url = `${server.url("webhook")}/token-in-path?key=in-the-url`;
    const target = await newTarget("webhook", { url, headers });
    await account.putRule({ targets: [target] });
    server.behave = () => ({
      status: 500,
      body: [
        "seen /webhook/channel/token-in-path?key=in-the-url with their-own-token",
        JSON.stringify({ path: "/webhook/channel/token-in-path" }).replaceAll("/", "\\/"),
        "no channel token-in-path for in-the-url",
      ].join("\n"),
    });
    await account.ingest();
    await worker.run();
    const stored = JSON.stringify(await deliveries());
    expect(stored).toContain("seen [hidden] with [hidden]");
    expect(stored).toContain("no channel [hidden] for [hidden]");
    expect(stored).not.toMatch(/in-the-url|token-in-path|their-own-token/);
    const raw = await identity.db.collection("alertTargets").findOne({ _id: target as never });
    expect(JSON.stringify(raw)).not.toMatch(/in-the-url|token-in-path|their-own-token|whsec/);
    expect((await ofAccount())[0]?.headers["x-key"]).toBe("their-own-token");
  });

  it("never connects to a private address unless the operator permits it", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ targets: [target] });
    await worker.stop();
    worker = startTargetWorker(identity.store, identity.time, { client: createLocalClient(false) });
    await account.ingest();
    await worker.run();
    expect(await ofAccount()).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { state: "pending", tries: [{ detail: "127.0.0.1 may not be connected to" }] },
    ]);
  });

  it("follows no redirect", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ targets: [target] });
    server.behave = () => ({ status: 307, headers: { location: server.url("slack") } });
    await account.ingest();
    await worker.run();
    expect((await ofAccount()).map(({ kind }) => kind)).toEqual(["webhook"]);
  });
});

/** Stores of processes that end before, or after, one kind of write. */
function endingStore(when: () => "before" | "after" | undefined): Store {
  const { store } = identity;
  const ending = async <T>(write: () => Promise<T>): Promise<T> => {
    const end = when();
    if (end === "before") throw fault("store.unavailable");
    const result = await write();
    if (end === "after") throw fault("store.unavailable");
    return result;
  };
  const { targetDeliveries } = store.acrossAccounts;
  return {
    ...store,
    forAccount: (accountId) => {
      const own = store.forAccount(accountId);
      const add: typeof own.targetDeliveries.add = (added) => ending(() => own.targetDeliveries.add(added));
      return { ...own, targetDeliveries: { ...own.targetDeliveries, add } };
    },
    acrossAccounts: {
      ...store.acrossAccounts,
      targetDeliveries: {
        ...targetDeliveries,
        record: (results) => ending(() => targetDeliveries.record(results)),
      },
    },
  };
}

const engineOn = (store: Store) =>
  createAlertEngine({
    store,
    clock: identity.time.clock,
    log: createLogger("silent"),
    mailAlert: async () => undefined,
    linkOf: () => undefined,
    keptMs: DAY,
  });

describe("two workers", () => {
  it("send each notice once by id: the result of one counts", async () => {
    const target = await newTarget("webhook");
    await account.putRule({ recipients: [], from: undefined, targets: [target] });
    for (let n = 0; n < 10; n++) await account.ingest({ entityId: `web-${n}` });
    const other = startTargetWorker(identity.store, identity.time);
    await Promise.all([worker.run(), other.run()]);
    await other.stop();
    const found = await deliveries();
    expect(found).toHaveLength(10);
    expect(found.every(({ state, attempts }) => state === "delivered" && attempts === 1)).toBe(true);
    const accepted = new Set((await ofAccount()).map(({ id }) => id));
    expect(accepted.size).toBe(10);
  });
});

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom("fire" as const, "resolve" as const), entity: fc.nat(2) }),
    fc.record({ do: fc.constantFrom("acknowledge" as const, "work" as const, "check" as const) }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1_000, 20_000, 90_000, 6 * MINUTE) }),
    fc.record({ do: fc.constant("answer" as const), status: fc.constantFrom(204, 500, 503, 429) }),
    fc.record({
      do: fc.constant("end" as const),
      when: fc.constantFrom("before" as const, "after" as const),
    }),
  ),
  { minLength: 3, maxLength: 25 },
);

describe("whatever happens", () => {
  it("no notice is lost, and none is stored or accepted twice by its id unless a process ends", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        account = await openAlertAccount(identity);
        const targets = [await newTarget("webhook"), await newTarget("webhook")];
        await account.putRule({ recipients: [], from: undefined, targets, mailsPerHour: 1_000 });
        let status = 204;
        let end: "before" | "after" | undefined;
        let ends = 0;
        server.behave = () => ({ status, ...(status === 429 && { headers: { "retry-after": "7" } }) });
        const store = endingStore(() => {
          const now = end;
          end = undefined;
          if (now) ends++;
          return now;
        });
        const ending = { engine: engineOn(store), worker: startTargetWorker(store, identity.time) };
        const ingest = async (entity: number, of: "firing" | "resolved") => {
          const { accountId } = account;
          const at = identity.time.clock.now();
          const alert = {
            eventType: "e",
            severity: "critical",
            source: "s",
            message: "m",
            context: {},
          } as const;
          const common = { accountId, traceId: "sx_1", keyId: "", at, status: of, links: [] };
          const expireAt = new Date(at.getTime() + DAY);
          const ids = { _id: `alr_${accountId}_${count++}`, fingerprint: `f${entity}` };
          await ending.engine.take(accountId, [{ ...common, ...ids, alert, expireAt }]);
        };
        for (const step of all) {
          identity.time.pass(1);
          if (step.do === "fire") await ingest(step.entity, "firing");
          else if (step.do === "resolve") await ingest(step.entity, "resolved");
          else if (step.do === "pass") identity.time.pass(step.ms);
          else if (step.do === "answer") status = step.status;
          else if (step.do === "end") end = step.when;
          else if (step.do === "work") await ending.worker.run();
          else if (step.do === "check") await ending.engine.check();
          else
            for (const { id } of await account.incidents())
              await ending.engine.change({
                accountId: account.accountId,
                id,
                action: "acknowledge",
                by: "ada",
              });
        }
        await ending.worker.stop();
        // Other processes continue, and the server is well.
        [status, end] = [204, undefined];
        for (let n = 0; n < 8; n++) {
          identity.time.pass(20 * MINUTE);
          await account.check();
          await worker.run();
        }

        const { accountId } = account;
        const found = await deliveries();
        const history = await identity.db
          .collection<{ accountId: string; kind: string; posts?: { targetId: string; eventId: string }[] }>(
            "incidentHistory",
          )
          .find({ accountId, kind: "notice" })
          .toArray();
        const promised = history.flatMap(({ posts = [] }) =>
          posts.map(({ targetId, eventId }) => `${targetId}.${eventId}`),
        );
        expect(new Set(promised).size).toBe(promised.length);
        expect(found.map(({ _id }) => _id).sort()).toEqual([...promised].sort());
        expect(found.filter(({ state }) => state !== "delivered")).toEqual([]);
        const requests = await ofAccount();
        const accepted = requests.filter((one) => one.status === 204);
        expect(new Set(accepted.map(({ id }) => id))).toEqual(new Set(found.map(({ eventId }) => eventId)));
        // Only a process that ends between a request and its record repeats an accepted request, with the same body.
        expect(accepted.length - found.length).toBeLessThanOrEqual(ends * 200);
        if (ends === 0) expect(accepted).toHaveLength(found.length);
        // Both targets get a notice with the same id, each with its own link.
        const stored = new Set(found.map(({ eventId, body }) => `${eventId} ${body}`));
        for (const { id, body } of requests) expect(stored).toContain(`${id} ${body}`);
      }),
      { numRuns: repetitions(15, 100) },
    );
  });
});
