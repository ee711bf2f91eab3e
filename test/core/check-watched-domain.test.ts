import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCheckWatchedDomain } from "../../src/core/intel/check-watched-domain.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { CheckWatch } from "../../src/watches/check-watch.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { createSignal, type Signal } from "../harness/signal.ts";

let identity: Identity;
let accountId: string;
let clientId: string;
/** Looks that have begun, each with what ends it. */
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

/** As the handler of one process checks. */
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

it("answers when the look is over", async () => {
  const id = await add("example.com");
  const answer = checking()(id);
  const end = await begun.next();
  end();
  expect(await answer).toMatchObject({ _id: id });
});

it("answers after ten seconds with what was known before, whatever becomes of the look", async () => {
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

it("fails as the look does, while somebody waits", async () => {
  const answer = checking()(await add("example.com"));
  const end = await begun.next();
  end(new Error("the store went away"));
  await expect(answer).rejects.toThrow("the store went away");
});

it("has four looks of one account under way, and takes the next when one is over", async () => {
  const check = checking();
  const ids = await Promise.all(["a", "b", "c", "d", "e"].map((label) => add(`${label}.example.com`)));
  const tooSoon = { code: "watched_domain.check_too_soon", retryAfterSeconds: 30 };
  // Whichever of them is counted last is refused, also before any look has begun.
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
  // Whoever waits no longer has its look under way all the same.
  identity.time.pass(10_000);
  expect((await Promise.all(answers)).filter(Boolean)).toEqual([last]);
  await expect(check(last)).rejects.toMatchObject(tooSoon);
  ends[0]?.();
  await new Promise(setImmediate);
  const answer = check(last);
  for (const end of [...ends.slice(1), await begun.next()]) end();
  expect(await answer).toMatchObject({ _id: last });
});

it("looks at a domain once for all who ask at once, in whichever process", async () => {
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

it("knows no domain that there is not", async () => {
  expect(await checking()("dom_none")).toBeNull();
});
