import { expect, it } from "vitest";
import { fault } from "../../shared/fault.ts";
import { type SubmitSurelyOptions, submitSurely } from "./submit-surely.ts";

/** Submits to a core with these answers: an error to throw, or the trace id. */
function submitted(answers: (string | Error)[], found: (string | undefined | Error)[] = [], more = {}) {
  const asked: string[] = [];
  const next = async <T>(from: (T | Error)[], what: string): Promise<T> => {
    asked.push(what);
    const answer = from.shift();
    if (answer instanceof Error) throw answer;
    return answer as T;
  };
  let nowMs = 0;
  const options: SubmitSurelyOptions<string> = {
    submit: () => next(answers, "submit"),
    find: () => next(found, "find"),
    repeatable: true,
    forMs: 450,
    // Only the pauses take time here.
    clock: { monotonicMs: () => nowMs },
    pause: async (ms) => {
      nowMs += ms;
    },
    ...more,
  };
  return { asked, outcome: submitSurely(options) };
}
const lost = fault("core.connection_lost");

it("submits once if the core answers", async () => {
  const { asked, outcome } = submitted(["sx_1"]);
  expect(await outcome).toBe("sx_1");
  expect(asked).toEqual(["submit"]);
});

it.each(["sender.unverified", "core.unavailable", "rate.limited"] as const)(
  "does not repeat a definite refusal, as with %s",
  async (code) => {
    const { asked, outcome } = submitted([fault(code)]);
    await expect(outcome).rejects.toMatchObject({ code });
    expect(asked).toEqual(["submit"]);
  },
);

it.each(["core.timeout", "core.connection_lost", "store.unavailable", "internal.error"] as const)(
  "after %s finds the stored message",
  async (code) => {
    const { asked, outcome } = submitted([fault(code)], ["sx_1"]);
    expect(await outcome).toBe("sx_1");
    expect(asked).toEqual(["submit", "find"]);
  },
);

it("submits a message again if it is not stored, and returns its final refusal", async () => {
  const again = submitted([lost, "sx_2"], [fault("core.unavailable"), undefined]);
  expect(await again.outcome).toBe("sx_2");
  expect(again.asked).toEqual(["submit", "find", "find", "submit"]);
  await expect(submitted([lost, fault("policy.unknown")], [undefined]).outcome).rejects.toMatchObject({
    code: "policy.unknown",
  });
});

it("stays uncertain without an answer in time, or with a temporary refusal only", async () => {
  const refused = submitted([lost, fault("rate.limited")], [undefined, fault("core.unavailable")]);
  await expect(refused.outcome).rejects.toBe(lost);
  const passed = submitted([lost], [undefined, undefined], { repeatable: false });
  await expect(passed.outcome).rejects.toBe(lost);
  expect(passed.asked).toEqual(["submit", "find", "find"]);
});

it("passes on errors of the client's side", async () => {
  const gone = new Error("The client went away.");
  const { asked, outcome } = submitted([gone]);
  await expect(outcome).rejects.toBe(gone);
  expect(asked).toEqual(["submit"]);
});
