import fc from "fast-check";
import { expect, it } from "vitest";
import { createAlertModel, TICK_MS } from "../../test/harness/alert-model.ts";
import { notified, runRules, worldOf } from "../../test/harness/alert-runs.ts";
import { createHeartbeatModel } from "../../test/harness/heartbeat-model.ts";
import { createHeartbeatWorld } from "../../test/harness/heartbeat-world.ts";
import { deadlineOf } from "./heartbeat.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Name of the heartbeat and of the entity of its alert. */
const JOB = "job";

const times = fc.constantFrom(
  { periodMs: 10 * MINUTE, graceMs: 5 * MINUTE },
  { periodMs: HOUR, graceMs: 0 },
  { periodMs: HOUR, graceMs: 3 * HOUR },
);
const ms = fc.constantFrom(TICK_MS, 4 * MINUTE, 11 * MINUTE, 70 * MINUTE, 5 * HOUR);
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("beat" as const) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("pass" as const, "sleep" as const), ms }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom(
          "fail" as const,
          "pause" as const,
          "resume" as const,
          // A process that ends after it has stored an alert of the heartbeat, and before it submits it.
          "kill" as const,
          "fire" as const,
          "end" as const,
          "acknowledge" as const,
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("silence" as const, "snooze" as const), ms }) },
  ),
  { maxLength: 40 },
);

interface Change {
  readonly status: "firing" | "resolved";
}

/** Submits the stored alerts of a heartbeat, each once and in their order. A process that is killed leaves them. */
function createSubmission(changes: readonly Change[], submit: (change: Change) => void) {
  let submitted = 0;
  return (): void => {
    for (const change of changes.slice(submitted)) {
      submitted++;
      submit(change);
    }
  };
}

it("notifies a job that does not report, and its return, exactly once, over outages, kills, silences, snoozes and pauses", () => {
  fc.assert(
    fc.property(runRules, times, steps, (rule, { periodMs, graceMs }, all) => {
      const world = worldOf(rule);
      const model = createAlertModel(rule);
      const beganMs = world.now().getTime();
      const schedule = { kind: "period", periodMs } as const;
      const job = createHeartbeatWorld({ schedule, graceMs, paused: false }, 0);
      const modelJob = createHeartbeatModel({ periodMs, graceMs });
      let nowMs = 0;

      const submit = createSubmission(job.changes, ({ status }) =>
        status === "firing"
          ? world.fire({ entityId: JOB, severity: "critical" })
          : world.end({ entityId: JOB }),
      );
      const submitModel = createSubmission(modelJob.alerts, ({ status }) =>
        status === "firing" ? model.fire(JOB, "critical", true) : model.end(JOB),
      );
      const check = () => {
        job.check(nowMs);
        submit();
        modelJob.check(nowMs);
        submitModel();
      };

      /** Both work at the deadlines: one goes from each to the next, the model through every moment. */
      function pass(passingMs: number): void {
        // Another process submits what a killed one has left.
        check();
        const endMs = nowMs + passingMs;
        for (let atMs = nowMs; atMs < endMs; ) {
          const deadlineMs = deadlineOf(job.heartbeat())?.getTime() ?? endMs;
          const nextMs = Math.min(Math.max(deadlineMs, atMs + TICK_MS), endMs);
          world.pass(nextMs - atMs);
          atMs = nextMs;
          job.check(atMs);
          submit();
        }
        while (nowMs < endMs) {
          nowMs += TICK_MS;
          model.pass(TICK_MS);
          modelJob.check(nowMs);
          submitModel();
        }
      }

      for (const step of all) {
        let isKilled = false;
        switch (step.do) {
          case "beat":
            job.ping("success", nowMs);
            modelJob.succeed(nowMs);
            break;
          case "fail":
            job.ping("fail", nowMs);
            modelJob.fail(nowMs);
            break;
          case "pause":
          case "resume":
            job[step.do](nowMs);
            modelJob[step.do](nowMs);
            break;
          case "kill":
            job.ping("fail", nowMs);
            modelJob.fail(nowMs);
            isKilled = true;
            break;
          case "fire":
            world.fire({ entityId: "a" });
            model.fire("a", "warning", true);
            break;
          case "end":
            world.end({ entityId: "a" });
            model.end("a");
            break;
          case "acknowledge":
            world.acknowledge();
            model.acknowledge();
            break;
          case "silence":
            world.silence(step.ms, { match: [{ field: "entity_id", op: "eq", value: JOB }], any: [] });
            model.silence(JOB, step.ms);
            break;
          case "snooze":
            world.snooze(step.ms);
            model.snooze(step.ms);
            break;
          case "pass":
            pass(step.ms);
            break;
          case "sleep":
            job.outage(nowMs, nowMs + step.ms);
            modelJob.outage(nowMs, nowMs + step.ms);
            nowMs += step.ms;
            world.sleep(step.ms);
            model.sleep(step.ms);
            break;
        }
        if (!isKilled) check();
      }
      pass(DAY / 4);

      expect(notified(world, beganMs)).toEqual(model.incidents.map(({ notices }) => notices));
    }),
    { numRuns: 500 },
  );
});
