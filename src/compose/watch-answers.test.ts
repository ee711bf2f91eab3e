import { expect, it } from "vitest";
import { fault } from "../shared/fault.ts";
import { watchAnswers } from "./watch-answers.ts";

it("says that the core does not answer from a missed deadline until the next answer, or for ten seconds", async () => {
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
  // What was not sent says nothing.
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
