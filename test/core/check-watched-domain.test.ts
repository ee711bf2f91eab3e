import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCheckWatchedDomain } from "../../src/core/intel/check-watched-domain.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { CheckWatch } from "../../src/watches/check-watch.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { createSignal, type Signal } from "../harness/signal.ts";

let identity: Identity;
let accountId: string;
let clientId: string;
/** Started checks, each with a function that ends it. */
let begun: Signal<(failure?: Error) => void>;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = (await identity.operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "";
  const settings = { name: "Example Ltd" };
  clientId = (await identity.operator.workspaces.createClient({ accountId, settings })).client?.id ?? "";
  begun = createSignal();
});

const checkWatch: CheckWatch = () =>
  new Promise((resolve, reject) => {
    begun.tell((failure) => (failure ? reject(failure) : resolve(undefined)));
  });

/** Checks as the handler of one process does. */
function checking() {
  const { clock, timers } = identity.time;
  const check = createCheckWatchedDomain({
    intel: { checkWatch },
    clock,
    timers,
    log: createLogger("silent"),
  });
  return (id: string) => check(identity.store.forAccount(accountId), id);
}

async function add(name: string): Promise<string> {
  const asked = { accountId, clientId, name };
  return (await identity.operator.watches.addWatchedDomain(asked)).domain?.id ?? "";
}

it("returns when the check is complete", async () => {
  const id = await add("example.com");
  const answer = checking()(id);
  const end = await begun.next();
  end();
  expect(await answer).toMatchObject({ _id: id });
});

it("returns the former results after ten seconds, independent of the outcome of the check", async () => {
  const check = checking();
  for (const failure of [undefined, new Error("the store went away")]) {
    const id = await add(failure ? "a.example.com" : "b.example.com");
    const answer = check(id);
    const end = await begun.next();
    identity.time.pass(10_000);
    const known = await answer;
    expect(known).toMatchObject({ _id: id, status: "pending" });
    expect(known?.checkedAt).toBeUndefined();
    end(failure);
  }
});

it("fails with the check while a caller waits", async () => {
  const answer = checking()(await add("example.com"));
  const end = await begun.next();
  end(new Error("the store went away"));
  await expect(answer).rejects.toThrow("the store went away");
});

it("runs four checks of one account at once, and starts the next when one is complete", async () => {
  const check = checking();
  const ids = await Promise.all(["a", "b", "c", "d", "e"].map((label) => add(`${label}.example.com`)));
  const tooSoon = { code: "watched_domain.check_too_soon", retryAfterSeconds: 30 };
  // The one that is counted last is refused, even before a check has started.
  const answers = ids.map((id) =>
    check(id).then(
      () => undefined,
      (error) => {
        expect(error).toMatchObject(tooSoon);
        return id;
      },
    ),
  );
  const last = (await Promise.race(answers)) ?? "";
  await begun.until(4);
  const ends = [...begun.seen];
  await expect(check(last)).rejects.toMatchObject(tooSoon);
  // A check continues after its caller has stopped waiting.
  identity.time.pass(10_000);
  expect((await Promise.all(answers)).filter(Boolean)).toEqual([last]);
  await expect(check(last)).rejects.toMatchObject(tooSoon);
  ends[0]?.();
  await new Promise(setImmediate);
  const answer = check(last);
  for (const end of [...ends.slice(1), await begun.next()]) end();
  expect(await answer).toMatchObject({ _id: last });
});

it("checks a domain once for all simultaneous callers, in any process", async () => {
  const id = await add("example.com");
  const answers = Promise.allSettled([checking(), checking()].map((check) => check(id)));
  const end = await begun.next();
  end();
  const settled = await answers;
  expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(settled.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "watched_domain.check_too_soon" },
  });
});

it("refuses an unknown domain", async () => {
  expect(await checking()("dom_none")).toBeNull();
});
