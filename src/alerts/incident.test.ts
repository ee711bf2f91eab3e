import fc from "fast-check";
import { expect, it } from "vitest";
import { createAlertWorld } from "../../test/harness/alert-world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const names = ["a", "b", "c"] as const;

type Step =
  | { readonly do: "fire"; readonly name: string; readonly severity: "info" | "warning" | "critical" }
  | { readonly do: "die"; readonly name: string }
  | { readonly do: "end"; readonly name: string }
  | { readonly do: "silence"; readonly name: string; readonly forMs: number }
  | { readonly do: "pass" | "sleep"; readonly ms: number }
  | { readonly do: "acknowledge" | "resolve" | "edit" };

const name = fc.constantFrom(...names);
const ms = fc.constantFrom(1, 10_000, MINUTE, 7 * MINUTE, 5 * 60 * MINUTE);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("fire" as const),
        name,
        severity: fc.constantFrom("info", "warning", "critical"),
      }),
    },
    // A process that ends before it sends a notice.
    { weight: 2, arbitrary: fc.record({ do: fc.constant("die" as const), name }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), name }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("silence" as const), name, forMs: ms }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("pass" as const, "sleep" as const), ms }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom("acknowledge" as const, "resolve" as const, "edit" as const),
      }),
    },
  ),
  { maxLength: 40 },
);

type World = ReturnType<typeof createAlertWorld>;

function run(
  all: readonly Step[],
  groupBy: readonly string[] | undefined,
  onStep: (world: World) => void = () => undefined,
) {
  const world = createAlertWorld({ repeatMs: 60 * MINUTE, ceiling: 1_000, ...(groupBy && { groupBy }) });
  /** Active alerts, as their source knows them. */
  const firing = new Set<string>();
  for (const step of all) {
    switch (step.do) {
      case "fire":
        firing.add(step.name);
        world.fire({ entityId: step.name, severity: step.severity });
        break;
      case "die":
        firing.add(step.name);
        world.fire({ entityId: step.name, severity: "info" }, false);
        break;
      case "end":
        firing.delete(step.name);
        world.end({ entityId: step.name });
        break;
      case "silence":
        world.silence(step.forMs, { match: [{ field: "entity_id", op: "eq", value: step.name }], any: [] });
        break;
      case "acknowledge":
        world.acknowledge();
        break;
      case "resolve":
        firing.clear();
        world.resolveAll();
        break;
      case "edit":
        world.edit({ recipients: ["ops@example.com"], repeatMs: 90 * MINUTE });
        break;
      default:
        world[step.do](step.ms);
    }
    onStep(world);
  }
  return { world, firing };
}

it("for any order of events, each notice is sent once and every required notice is sent", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(undefined, ["source"]), (all, groupBy) => {
      const { world, firing } = run(all, groupBy);
      world.pass(DAY);

      const open = world.open();
      const expectedOpen = groupBy ? Math.min(1, firing.size) : firing.size;
      expect(open.length).toBe(expectedOpen);
      expect(open.reduce((sum, one) => sum + one.firing, 0)).toBe(firing.size);
      for (const incident of world.incidents()) {
        const notices = world.mails.filter((mail) => mail.incident._id === incident._id);
        const reasons = notices.map(({ notice }) => notice.reason);
        // No notice is missing or duplicated.
        expect(notices.map(({ notice }) => notice.number)).toEqual(reasons.map((_, index) => index + 1));
        expect(reasons.lastIndexOf("first")).toBe(reasons.length > 0 ? 0 : -1);
        // Recipients that were notified of the incident are notified of its resolution once.
        const isOwed = incident.state === "resolved" && reasons.length > 0;
        expect(reasons.filter((reason) => reason === "resolved").length).toBe(isOwed ? 1 : 0);
        if (isOwed) expect(reasons.at(-1)).toBe("resolved");
        // All news is notified, unless the incident is acknowledged.
        if (incident.state === "open") expect([incident.untold, reasons.length > 0]).toEqual([0, true]);
        if (incident.state === "resolved") expect([incident.firing, incident.dueAt]).toEqual([0, undefined]);
      }
    }),
    { numRuns: 1_500 },
  );
});

it("the e-mails do not depend on the frequency of checks for due actions", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const seen = (some: readonly Step[]) => {
        const { world } = run(some, ["source"]);
        return world.mails.map(({ notice, atMs }) => [atMs, notice.number, notice.reason]);
      };
      const checked = all.flatMap((step): Step[] =>
        step.do === "pass"
          ? [
              { ...step, ms: Math.floor(step.ms / 2) },
              { ...step, ms: step.ms - Math.floor(step.ms / 2) },
            ]
          : [step],
      );
      expect(seen(checked)).toEqual(seen(all));
    }),
    { numRuns: 500 },
  );
});

it("an incident gets an expiry when it is resolved and notified, and never while it is open (SigNoz/signoz#10043)", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(undefined, ["source"]), (all, groupBy) => {
      const early: string[] = [];
      const stateOf = (world: World) => {
        for (const { _id, expireAt, open, dueAt } of world.incidents())
          if (expireAt && (open || dueAt)) early.push(_id);
      };
      const { world } = run(all, groupBy, stateOf);
      world.pass(DAY);
      stateOf(world);
      expect(early).toEqual([]);
      const kept = world.incidents().filter(({ open, expireAt }) => !open && !expireAt);
      expect(kept).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
