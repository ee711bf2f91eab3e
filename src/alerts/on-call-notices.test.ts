import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [ada, bob] = ["ada@example.com", "bob@example.com"];
const [eve, ops] = ["eve@example.com", "ops@example.com"];

/** A world with a rule that names an on-call schedule, and `ada` on call. */
function openWorld(notify: Parameters<typeof createAlertWorld>[0] = {}) {
  const world = createAlertWorld({ recipients: [], onCall: ["primary"], repeatMs: HOUR, ...notify });
  world.handOver("primary", ada);
  return world;
}

/** Lines such as `first ada`. */
const sent = ({ mails }: ReturnType<typeof openWorld>) =>
  mails.map(({ notice, to }) => `${notice.reason} ${to.split("@")[0]}`);

describe("notices of a rule with an on-call schedule", () => {
  it("go to the participant who is on call at that time, and the resolution to all who were notified", () => {
    const world = openWorld();
    world.fire();
    world.handOver("primary", bob);
    world.pass(HOUR);
    world.fire({ severity: "critical" });
    world.pass(5 * MINUTE);
    world.end();
    expect(sent(world)).toEqual(["first ada", "repeat bob", "severity bob", "resolved ada", "resolved bob"]);
  });

  it("go to the rule's recipients too, each once", () => {
    const world = openWorld({ recipients: [ops, "ADA@example.com"] });
    world.fire();
    world.handOver("primary", bob);
    world.pass(HOUR);
    expect(sent(world)).toEqual(["first ops", "first ADA", "repeat ops", "repeat ADA", "repeat bob"]);
  });

  it("reach the participants of an escalation's schedule, who stay recipients while they are on call", () => {
    const steps = [{ afterMs: 10 * MINUTE, recipients: [], onCall: ["managers"] }];
    const world = openWorld({ escalation: { steps, rounds: 1 } });
    world.handOver("managers", eve);
    world.fire();
    world.pass(10 * MINUTE);
    world.pass(HOUR);
    world.handOver("managers", bob);
    world.pass(HOUR);
    expect(sent(world)).toEqual([
      "first ada",
      "escalation eve",
      "repeat ada",
      "repeat eve",
      "repeat ada",
      "repeat bob",
    ]);
  });

  it("continue the thread of a participant at the next shift", () => {
    const world = openWorld();
    world.fire();
    world.handOver("primary", bob);
    world.pass(HOUR);
    world.handOver("primary", ada);
    world.pass(HOUR);
    const [first, , third] = world.mails.map(({ notice }) => notice.mails[0]);
    expect(third).toMatchObject({ recipient: ada, root: first?.messageId, inReplyTo: first?.messageId });
  });

  it("name the schedule in the history", () => {
    const world = openWorld({ recipients: [ops] });
    world.fire();
    const details = world.history.filter(({ kind }) => kind === "notice").map(({ detail }) => detail);
    expect(details).toEqual([`First notice. Sent to ${ops}. Sent to ${ada}, on call by primary.`]);
  });

  it("always go to exactly those who are on call", () => {
    const people = fc.constantFrom(ada, bob, eve);
    const steps = fc.array(
      fc.oneof(
        fc.record({ to: people }),
        fc.record({ severity: fc.constantFrom("warning" as const, "critical" as const) }),
        fc.record({ ms: fc.constantFrom(MINUTE, 7 * MINUTE, HOUR, 5 * HOUR) }),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, fc.boolean(), (all, hasOthers) => {
        const world = openWorld({ ceiling: 100_000, recipients: hasOthers ? [ops] : [] });
        let onCall = ada;
        let seen = 0;
        const notified = new Set<string>();
        const take = () => {
          const notices = new Map<number, string[]>();
          for (const { notice, to } of world.mails.slice(seen))
            notices.set(notice.number, [...(notices.get(notice.number) ?? []), to]);
          seen = world.mails.length;
          return [...notices.values()];
        };
        for (const step of all) {
          if ("to" in step) {
            onCall = step.to;
            world.handOver("primary", onCall);
          } else if ("ms" in step) world.pass(step.ms);
          else world.fire({ severity: step.severity });
          for (const recipients of take()) {
            expect(recipients).toEqual(hasOthers ? [ops, onCall] : [onCall]);
            for (const recipient of recipients) notified.add(recipient);
          }
        }
        world.end();
        world.pass(HOUR);
        expect(new Set(take().flat())).toEqual(notified);
      }),
      { numRuns: 100 },
    );
  });
});
