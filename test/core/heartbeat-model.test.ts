/** The stored heartbeats beside a plain model: pings, outages, two workers, and workers that end in the middle. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AlertEngine } from "../../src/core/alerts/alert-engine.ts";
import { fault } from "../../src/shared/fault.ts";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import type { Store } from "../../src/store/store.ts";
import { createHeartbeatModel } from "../harness/heartbeat-model.ts";
import { type RunStep, type RunTimes, runSteps, runTimes } from "../harness/heartbeat-runs.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

/** A gap in the announcements above this is an outage, which lasts until the front ends accept requests. */
const GAP_MS = 10_000;
const START_MS = 5_000;
/** Longer than a claim and the wait for a retry. */
const REPAIR_MS = 71_000;

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity({ startAt: new Date("2030-03-30T12:00:00.000Z") });
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());

const nowMs = () => identity.time.clock.now().getTime();

/** A worker that ends before it submits an alert, or before it writes anything the given number of times. */
function dyingWorker(at: "submission" | "write" | "end") {
  if (at === "submission") {
    const take: AlertEngine["take"] = async () => {
      throw fault("store.unavailable");
    };
    return identity.heartbeatWorker({ alertEngine: { ...identity.alertEngine, take } });
  }
  let left = at === "write" ? 0 : 1;
  const { store } = identity;
  const forAccount: Store["forAccount"] = (id) => {
    const account = store.forAccount(id);
    const advance: (typeof account)["heartbeats"]["advance"] = async (before, after) => {
      if (left-- <= 0) throw fault("store.unavailable");
      return account.heartbeats.advance(before, after);
    };
    return { ...account, heartbeats: { ...account.heartbeats, advance } };
  };
  return identity.heartbeatWorker({ store: { ...store, forAccount } });
}

function settingsOf({ times: { schedule, graceMs } }: RunTimes) {
  const grace = { name: "job", graceSeconds: graceMs / 1_000 };
  return schedule.kind === "period"
    ? { ...grace, periodSeconds: schedule.periodMs / 1_000 }
    : { ...grace, cron: schedule.expression, timezone: schedule.timezone };
}

type Step = RunStep | { readonly do: "kill"; readonly at: "submission" | "write" | "end" };
const kills = fc.record({
  do: fc.constant("kill" as const),
  at: fc.constantFrom("submission" as const, "write" as const, "end" as const),
});
/** Some steps of each run are kills. */
const steps = fc
  .tuple(runSteps, fc.array(fc.tuple(fc.nat(40), kills), { maxLength: 5 }))
  .map(([plain, added]): readonly Step[] => {
    const all: Step[] = [...plain];
    for (const [index, kill] of added) all.splice(Math.min(index, all.length), 0, kill);
    return all;
  });

async function run(first: RunTimes, all: readonly Step[]): Promise<void> {
  const { store, time, operator } = identity;
  const accountId = await identity.openAccount();
  const created = await operator.heartbeats.createHeartbeat({ accountId, settings: settingsOf(first) });
  const { token } = created;
  const id = created.heartbeat?.id ?? "";
  const named = { accountId, id };
  const model = createHeartbeatModel(first.model);
  let present = first;
  let workers = [identity.heartbeatWorker(), identity.heartbeatWorker()];

  /** A core has run until now. */
  const announceAll = () => store.liveness.announce(time.clock.now(), time.clock.now());
  async function check(): Promise<void> {
    await Promise.all(workers.map((worker) => worker.check()));
    model.check(nowMs());
  }
  async function pass(ms: number): Promise<void> {
    time.pass(ms);
    await announceAll();
    await check();
  }

  await announceAll();
  for (const step of all) {
    switch (step.do) {
      case "ping":
        await operator.heartbeats.pingHeartbeat({ token });
        model.succeed(nowMs());
        break;
      case "fail":
        await operator.heartbeats.pingHeartbeat({ token, exitStatus: 1 });
        model.fail(nowMs());
        break;
      case "start":
        await operator.heartbeats.pingHeartbeat({ token, kind: "start" });
        break;
      case "check":
        await check();
        break;
      case "pause":
        await operator.heartbeats.pauseHeartbeat(named);
        model.pause(nowMs());
        break;
      case "resume":
        await operator.heartbeats.resumeHeartbeat(named);
        model.resume(nowMs());
        break;
      case "change":
        await operator.heartbeats.updateHeartbeat({ ...named, settings: settingsOf(step.to) });
        // Equal settings change nothing.
        if (step.to !== present) model.change(step.to.model, nowMs());
        present = step.to;
        break;
      case "pass":
        await pass(step.ms);
        break;
      case "sleep": {
        const fromMs = nowMs();
        time.pass(step.ms);
        if (step.ms > GAP_MS) model.outage(fromMs, nowMs() + START_MS);
        workers = [identity.heartbeatWorker(), identity.heartbeatWorker()];
        await check();
        break;
      }
      case "kill":
        await dyingWorker(step.at)
          .check()
          .catch(() => undefined);
        await pass(REPAIR_MS);
        break;
    }
  }
  await pass(REPAIR_MS);
  await pass(REPAIR_MS);

  const stored = await identity.db.collection<AlertDocument>("alerts").find({ accountId }).toArray();
  const numberOf = ({ idempotencyKey = "" }: AlertDocument) => Number(idempotencyKey.split(".")[1]);
  const alerts = stored
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map(({ status, alert: { context }, occurredAt, dedupKey }) => {
      expect(dedupKey).toBe(id);
      return { status, reason: context.reason, atMs: occurredAt?.getTime() };
    });
  expect(alerts).toEqual(model.alerts);
  const left = await store.forAccount(accountId).heartbeats.find(id);
  expect(left).toMatchObject({ pending: [], changes: model.alerts.length });
  await operator.heartbeats.deleteHeartbeat(named);
}

it("raises and resolves exactly the alerts of the model, whichever worker ends when", async () => {
  await fc.assert(
    fc.asyncProperty(runTimes, steps, async (first, all) => {
      await run(first, all);
    }),
    { numRuns: repetitions(15, 300) },
  );
}, 600_000);
