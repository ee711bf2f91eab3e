import { expect, it } from "vitest";
import { createAuthThrottle } from "./auth-throttle.ts";

const options = { windowMs: 60_000, delayMs: 100, maxDelayMs: 3_000, maxHeld: 4, maxHeldPerClient: 2 };

/** A throttle, and for how long it has held answers back; they are given at once unless `open` says otherwise. */
function throttled() {
  const heldMs: number[] = [];
  let gate = Promise.resolve();
  const throttle = createAuthThrottle(options, (ms) => {
    heldMs.push(ms);
    return gate;
  });
  const hold = () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  };
  return { throttle, heldMs, hold };
}

it("holds answers back the longer the more often a client fails with one key, up to a bound", async () => {
  const { throttle, heldMs } = throttled();
  for (let n = 0; n < 7; n++) await throttle.hold("192.0.2.1", "key");
  expect(heldMs).toEqual([100, 200, 400, 800, 1600, 3000, 3000]);
});

it("does not hold back one client for what another does with the same key", async () => {
  const { throttle, heldMs } = throttled();
  for (let n = 0; n < 7; n++) await throttle.hold(`192.0.2.${n}`, "key");
  expect(new Set(heldMs)).toEqual(new Set([100]));
});

it("counts what a client does with other keys, whichever it knows itself", async () => {
  const { throttle, heldMs } = throttled();
  for (let n = 0; n < 11; n++) {
    await throttle.hold("2001:db8::1", `name-${n}`);
    throttle.succeeded("2001:db8::ffff", "own");
  }
  expect(heldMs).toEqual([100, 100, 100, 200, 200, 200, 200, 400, 400, 400, 400]);
});

it("forgets the mistakes with a key that turns out to be known", async () => {
  const { throttle, heldMs } = throttled();
  await throttle.hold("192.0.2.1", "key");
  await throttle.hold("192.0.2.1", "key");
  throttle.succeeded("192.0.2.1", "key");
  await throttle.hold("192.0.2.1", "key");
  expect(heldMs).toEqual([100, 200, 100]);
});

it("holds back no more answers than it may, of one client and of all, and has room again afterwards", async () => {
  const { throttle, hold } = throttled();
  const open = hold();
  const clients = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"];
  const held = clients.map((client, n) => throttle.hold(client, `name-${n}`));
  expect(await throttle.hold("192.0.2.1", "more")).toBe(false);
  expect(await throttle.hold("192.0.2.3", "more")).toBe(false);
  open();
  expect(await Promise.all(held)).toEqual([true, true, true, true]);
  expect(await throttle.hold("192.0.2.3", "more")).toBe(true);
});
