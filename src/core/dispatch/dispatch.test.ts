import { expect, it } from "vitest";
import { createDispatch } from "./dispatch.ts";

const queued = (id: string, partition: number) => ({ _id: id, state: "queued" as const, partition });

function make() {
  const claimed: number[] = [];
  return { dispatch: createDispatch({ onClaimed: (count) => claimed.push(count) }), claimed };
}

async function next(
  batches: AsyncGenerator<readonly string[], void>,
): Promise<readonly string[] | undefined> {
  const { value } = await batches.next();
  return value ?? undefined;
}

it("confirms the first claim, then gives together what was announced together", async () => {
  const { dispatch } = make();
  const subscription = dispatch.subscribe();
  const batches = subscription.batches();
  subscription.claim([1, 2]);
  expect(await next(batches)).toEqual([]);
  const waiting = next(batches);
  expect([1, 2, 3].map((id) => dispatch.announce(queued(`msg_${id}`, id)))).toEqual([true, true, false]);
  expect(await waiting).toEqual(["msg_1", "msg_2"]);
});

it("announces nothing that is not due now", () => {
  const { dispatch } = make();
  dispatch.subscribe().claim([1]);
  expect(dispatch.announce({ _id: "msg_1", state: "scheduled", partition: 1 })).toBe(false);
});

it("gives a partition to the worker that claimed it last, and to nobody when that one has gone", async () => {
  const { dispatch, claimed } = make();
  const [first, second] = [dispatch.subscribe(), dispatch.subscribe()];
  first.claim([1, 2]);
  second.claim([2]);
  const batches = second.batches();
  await next(batches);
  expect(dispatch.announce(queued("msg_1", 2))).toBe(true);
  expect(await next(batches)).toEqual(["msg_1"]);
  second.end();
  expect(await next(batches)).toBeUndefined();
  expect(dispatch.announce(queued("msg_2", 2))).toBe(false);
  expect(dispatch.announce(queued("msg_3", 1))).toBe(true);
  expect(claimed).toEqual([2, 2, 1]);
});

it("takes back what a worker claims no longer", () => {
  const { dispatch } = make();
  const subscription = dispatch.subscribe();
  subscription.claim([1, 2]);
  subscription.claim([2]);
  expect(dispatch.announce(queued("msg_1", 1))).toBe(false);
  expect(dispatch.announce(queued("msg_2", 2))).toBe(true);
});

it("leaves to polling what a worker does not take in time", async () => {
  const { dispatch } = make();
  const subscription = dispatch.subscribe();
  subscription.claim([1]);
  const taken = Array.from({ length: 10_001 }, (_, id) => dispatch.announce(queued(`msg_${id}`, 1)));
  expect(taken.filter(Boolean)).toHaveLength(10_000);
  const batches = subscription.batches();
  await next(batches);
  expect(await next(batches)).toHaveLength(500);
  expect(dispatch.announce(queued("msg_late", 1))).toBe(true);
});

it("ends every subscription when the core closes, and later ones at once", async () => {
  const { dispatch } = make();
  const subscription = dispatch.subscribe();
  subscription.claim([1]);
  const batches = subscription.batches();
  await next(batches);
  const waiting = next(batches);
  dispatch.close();
  expect(await waiting).toBeUndefined();
  const late = dispatch.subscribe();
  late.claim([1]);
  expect(await next(late.batches())).toBeUndefined();
  expect(dispatch.announce(queued("msg_1", 1))).toBe(false);
});
