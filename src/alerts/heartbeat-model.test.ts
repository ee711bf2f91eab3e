import fc from "fast-check";
import { expect, it } from "vitest";
import { createHeartbeatModel } from "../../test/harness/heartbeat-model.ts";
import { runBegins, runSteps, runTimes } from "../../test/harness/heartbeat-runs.ts";
import { createHeartbeatWorld } from "../../test/harness/heartbeat-world.ts";

it("raises and resolves exactly the alerts of the model, over clock changes and outages", () => {
  fc.assert(
    fc.property(runTimes, runBegins, runSteps, (first, beginMs, steps) => {
      const world = createHeartbeatWorld({ ...first.times, paused: false }, beginMs);
      const model = createHeartbeatModel(first.model);
      let nowMs = 0;
      const check = () => {
        world.check(nowMs);
        model.check(beginMs + nowMs);
      };
      for (const step of steps) {
        const atMs = beginMs + nowMs;
        switch (step.do) {
          case "ping":
            world.ping("success", nowMs);
            model.succeed(atMs);
            break;
          case "fail":
            world.ping("fail", nowMs);
            model.fail(atMs);
            break;
          case "start":
            world.ping("start", nowMs);
            break;
          case "check":
            check();
            break;
          case "pause":
            world.pause(nowMs);
            model.pause(atMs);
            break;
          case "resume":
            world.resume(nowMs);
            model.resume(atMs);
            break;
          case "pass":
            nowMs += step.ms;
            check();
            break;
          case "sleep":
            world.outage(nowMs, nowMs + step.ms);
            model.outage(atMs, atMs + step.ms);
            nowMs += step.ms;
            break;
          case "change":
            world.retime(step.to.times, nowMs);
            model.change(step.to.model, atMs);
            break;
        }
      }
      check();
      const shown = world.changes.map(({ status, cause: reason, at }) => ({
        status,
        reason,
        atMs: at.getTime(),
      }));
      expect(shown).toEqual(model.alerts);
      expect(world.heartbeat().expectedAt?.getTime()).toBe(model.state.expectedMs);
    }),
    { numRuns: 500 },
  );
});
