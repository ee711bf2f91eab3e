import { expect, it } from "vitest";
import { fault } from "../shared/fault.ts";
import { watchAnswers } from "./watch-answers.ts";

it("reports that the core does not answer from a missed deadline until the next answer, or for ten seconds", async () => {
  let nowMs = 0;
  let failure: Error | undefined;
  const core = {
    sendEmail: async () => {
      if (failure) throw failure;
      return {} as never;
    },
  };
  const answers = watchAnswers(core, { now: () => new Date(nowMs), monotonicMs: () => nowMs });
  const isLate = expect.objectContaining({ code: "core.timeout" });
  const send = () => answers.sendEmail({}).catch((refused) => refused);

  await answers.inTime();
  failure = fault("core.timeout");
  expect(await send()).toEqual(isLate);
  await expect(answers.inTime()).rejects.toEqual(isLate);
  // A request that was not sent says nothing.
  failure = fault("core.unavailable");
  await send();
  await expect(answers.inTime()).rejects.toEqual(isLate);
  failure = fault("sender.unverified");
  await send();
  await answers.inTime();
  failure = fault("core.timeout");
  await send();
  nowMs = 10_001;
  await answers.inTime();
});

it("gives callers with late answers a retry time, from the number of waiting requests and the speed of answers", async () => {
  let nowMs = 0;
  const waiting: ((late: boolean) => void)[] = [];
  const core = {
    sendEmail: () =>
      new Promise<never>((resolve, reject) => {
        waiting.push((late) => (late ? reject(fault("core.timeout")) : resolve({} as never)));
      }),
  };
  const answers = watchAnswers(core, { now: () => new Date(nowMs), monotonicMs: () => nowMs });
  const sends = Array.from({ length: 12 }, () => answers.sendEmail({}).catch((refused) => refused));
  for (let n = 0; n < 4; n++) {
    nowMs += 1_500;
    waiting[n]?.(false);
    await sends[n];
  }
  waiting[4]?.(true);
  expect(await sends[4]).toMatchObject({ code: "core.timeout", retryAfterSeconds: 12 });
  for (const answer of waiting.slice(5)) answer(false);
  await Promise.all(sends);
});
