import { expect, it } from "vitest";
import { createDispatcher } from "./dispatcher.ts";

const queued = (id: string, partition: number) => ({ _id: id, state: "queued" as const, partition });

function make() {
  const claimed: number[] = [];
  return { dispatcher: createDispatcher({ onClaimed: (count) => claimed.push(count) }), claimed };
}

async function next(
  batches: AsyncGenerator<readonly string[], void>,
): Promise<readonly string[] | undefined> {
  const { value } = await batches.next();
  return value ?? undefined;
}

it("confirms the first claim, then sends messages together that were announced together", async () => {
  const { dispatcher } = make();
  const subscription = dispatcher.subscribe();
  const batches = subscription.batches();
  subscription.claim([1, 2]);
  expect(await next(batches)).toEqual([]);
  const waiting = next(batches);
  expect([1, 2, 3].map((id) => dispatcher.dispatch(queued(`msg_${id}`, id)))).toEqual([true, true, false]);
  expect(await waiting).toEqual(["msg_1", "msg_2"]);
});

it("announces no message that is not due now", () => {
  const { dispatcher } = make();
  dispatcher.subscribe().claim([1]);
  expect(dispatcher.dispatch({ _id: "msg_1", state: "scheduled", partition: 1 })).toBe(false);
});

it("assigns a partition to the worker that claimed it last, and to none after that worker has left", async () => {
  const { dispatcher, claimed } = make();
  const [first, second] = [dispatcher.subscribe(), dispatcher.subscribe()];
  first.claim([1, 2]);
  second.claim([2]);
  const batches = second.batches();
  await next(batches);
  expect(dispatcher.dispatch(queued("msg_1", 2))).toBe(true);
  expect(await next(batches)).toEqual(["msg_1"]);
  second.end();
  expect(await next(batches)).toBeUndefined();
  expect(dispatcher.dispatch(queued("msg_2", 2))).toBe(false);
  expect(dispatcher.dispatch(queued("msg_3", 1))).toBe(true);
  expect(claimed).toEqual([2, 2, 1]);
});

it("stops sending messages of a partition that a worker no longer claims", () => {
  const { dispatcher } = make();
  const subscription = dispatcher.subscribe();
  subscription.claim([1, 2]);
  subscription.claim([2]);
  expect(dispatcher.dispatch(queued("msg_1", 1))).toBe(false);
  expect(dispatcher.dispatch(queued("msg_2", 2))).toBe(true);
});

it("leaves a message to polling if a worker does not accept it in time", async () => {
  const { dispatcher } = make();
  const subscription = dispatcher.subscribe();
  subscription.claim([1]);
  const taken = Array.from({ length: 10_001 }, (_, id) => dispatcher.dispatch(queued(`msg_${id}`, 1)));
  expect(taken.filter(Boolean)).toHaveLength(10_000);
  const batches = subscription.batches();
  await next(batches);
  expect(await next(batches)).toHaveLength(500);
  expect(dispatcher.dispatch(queued("msg_late", 1))).toBe(true);
});

it("ends every subscription when the core closes, and later ones immediately", async () => {
  const { dispatcher } = make();
  const subscription = dispatcher.subscribe();
  subscription.claim([1]);
  const batches = subscription.batches();
  await next(batches);
  const waiting = next(batches);
  dispatcher.close();
  expect(await waiting).toBeUndefined();
  const late = dispatcher.subscribe();
  late.claim([1]);
  expect(await next(late.batches())).toBeUndefined();
  expect(dispatcher.dispatch(queued("msg_1", 1))).toBe(false);
});
