import { expect, it } from "vitest";
import { countTurns } from "../../../test/harness/count-turns.ts";
import { createEstimatePassword, MAX_ESTIMATED_LENGTH } from "./estimate-password.ts";
import { createPasswords } from "./passwords.ts";

/** zxcvbn needs almost a second for it. */
const HOSTILE = "p4$$w0rD".repeat(32);

it("does not block the calling thread while it estimates a hostile password", async () => {
  const turns = await countTurns(() => createEstimatePassword()(HOSTILE, []));
  // An estimate in this thread would permit only one or two turns.
  expect(turns).toBeGreaterThan(20);
});

it("estimates the first 64 characters of the password and of known words", async () => {
  const estimate = createEstimatePassword();
  const rest = "three green umbrellas under water";
  const guessable = "a".repeat(MAX_ESTIMATED_LENGTH);
  expect(await estimate(`${guessable}${rest}`, [])).toEqual(await estimate(guessable, []));
  expect((await estimate(rest, [])).score).toBe(4);
  expect((await estimate("ada.lovelace", ["ada.lovelace"])).score).toBe(0);
});

it("refuses estimates beyond the limit with service.busy, and accepts later ones", async () => {
  const estimate = createEstimatePassword({ mostWaiting: 3 });
  const all = await Promise.allSettled(
    Array.from({ length: 5 }, () => estimate("three green umbrellas", [])),
  );
  expect(all.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  expect(all[4]).toMatchObject({ reason: { code: "service.busy" } });
  expect((await estimate("three green umbrellas", [])).score).toBe(4);
});

it("answers service.busy when the thread ends without an answer, and starts a new thread", async () => {
  const missing = new URL("./no-such-thread.js", import.meta.url);
  const estimate = createEstimatePassword({ threadEntry: missing });
  for (const password of ["three green umbrellas", "four green umbrellas"]) {
    await expect(estimate(password, [])).rejects.toMatchObject({ code: "service.busy" });
  }
});

it.each([
  ["short", "password.too_short"],
  ["x".repeat(257), "field.too_long"],
  ["\u{1F600}".repeat(257), "field.too_long"],
  ["x".repeat(8_000_000), "field.too_long"],
])("checks the length of %.10s… without an estimate", async (password, code) => {
  const never = async () => {
    throw new Error("An estimate was asked for.");
  };
  expect(await createPasswords(undefined, never).evaluate(password, [])).toMatchObject({ code });
});
