import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCapacity, type Entrant } from "./capacity.ts";

const LIMITS = { all: 6, failing: 3, perAccount: 4 };
const accounts = ["a", "b", "c", "d"] as const;

/** Enters, and reports the order in which entrants were admitted. */
function observe() {
  const capacity = createCapacity(LIMITS);
  const inside: { readonly entrant: Entrant; readonly leave: () => void }[] = [];
  const waiting: Entrant[] = [];
  const admitted: Entrant[] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  async function enter(entrant: Entrant): Promise<void> {
    waiting.push(entrant);
    void capacity.enter(entrant).then((leave) => {
      waiting.splice(waiting.indexOf(entrant), 1);
      inside.push({ entrant, leave });
      admitted.push(entrant);
    });
    await settled();
  }
  async function leave(at: number): Promise<void> {
    const [gone] = inside.splice(at % Math.max(1, inside.length), 1);
    gone?.leave();
    gone?.leave();
    await settled();
  }
  const hasCapacityFor = ({ accountId, fare }: Entrant) =>
    inside.length < LIMITS.all &&
    inside.filter(({ entrant }) => entrant.accountId === accountId).length < LIMITS.perAccount &&
    (fare === "well" || inside.filter(({ entrant }) => entrant.fare === "failing").length < LIMITS.failing);
  return { inside, waiting, admitted, enter, leave, isRoomFor: hasCapacityFor };
}

const entrant = fc.record<Entrant>({
  accountId: fc.constantFrom(...accounts),
  fare: fc.constantFrom("well" as const, "failing" as const),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ enter: entrant }) },
  { weight: 2, arbitrary: fc.record({ leave: fc.nat(20) }) },
);

describe("places", () => {
  it("never exceed a limit, and leave no entrant waiting while there is capacity for it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { inside, waiting, enter, leave, isRoomFor: hasCapacityFor } = observe();
        for (const one of steps) {
          if ("enter" in one) await enter({ ...one.enter });
          else await leave(one.leave);
          expect(inside.length).toBeLessThanOrEqual(LIMITS.all);
          const failing = inside.filter(({ entrant: { fare } }) => fare === "failing");
          expect(failing.length).toBeLessThanOrEqual(LIMITS.failing);
          for (const account of accounts) {
            const own = inside.filter(({ entrant: { accountId } }) => accountId === account);
            expect(own.length).toBeLessThanOrEqual(LIMITS.perAccount);
          }
          expect(waiting.filter(hasCapacityFor)).toEqual([]);
        }
        while (inside.length > 0) await leave(0);
        expect(waiting).toEqual([]);
      }),
    );
  });

  it("are assigned to accounts in turn, regardless of the number of waiting entrants of one account", async () => {
    const { inside, admitted, enter, leave } = observe();
    const well = (accountId: string) => enter({ accountId, fare: "well" });
    for (let n = 0; n < 4; n++) await well("a");
    for (let n = 0; n < 2; n++) await well("b");
    for (let n = 0; n < 20; n++) await well("a");
    for (let n = 0; n < 3; n++) await well("c");
    await well("d");
    admitted.splice(0);
    for (let n = 0; n < 6; n++) await leave(0);
    expect(admitted.map(({ accountId }) => accountId)).toEqual(["a", "c", "d", "a", "c", "a"]);
    expect(inside.length).toBe(6);
  });

  it("held by failing endpoints leave capacity for healthy ones", async () => {
    const { waiting, enter } = observe();
    for (const accountId of ["a", "b", "c"])
      for (let n = 0; n < 4; n++) await enter({ accountId, fare: "failing" });
    expect(waiting.length).toBe(9);
    await enter({ accountId: "d", fare: "well" });
    expect(waiting.length).toBe(9);
  });
});
