import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phrase } from "../shared/phrase.ts";
import { type CheckStatus, expectedFields, observedFields } from "./check-result.ts";
import {
  afterCheck,
  CONFIRMATION_MS,
  needsConfirmation,
  type StandingCheck,
  shownStatus,
} from "./standing-check.ts";

const start = new Date("2030-01-01T00:00:00Z").getTime();
const at = (ms: number) => new Date(start + ms);

function checkRun(
  standing: StandingCheck | undefined,
  status: CheckStatus,
  ms: number,
  isBelieved = false,
): StandingCheck {
  const result = {
    id: "auth.spf.exists",
    status,
    observed: `${status} at ${ms}`,
    expected: "",
    evidence: [],
  } as const;
  return afterCheck(standing, result, { at: at(ms), isBelieved });
}

describe("the known result of a check", () => {
  it("is the result of the first check run", () => {
    expect(checkRun(undefined, "fail", 0)).toMatchObject({ known: { status: "fail", since: at(0) } });
    expect(shownStatus(checkRun(undefined, "error", 0))).toBe("error");
  });

  it("changes with a confirmation check of the same result, as of the first run", () => {
    const once = checkRun(checkRun(undefined, "pass", 0), "fail", 1_000);
    expect(once).toMatchObject({ known: { status: "pass" }, contrary: { status: "fail", at: at(1_000) } });
    expect(needsConfirmation([once])).toBe(true);
    const twice = checkRun(once, "fail", 1_000 + CONFIRMATION_MS);
    expect(twice).toMatchObject({ known: { status: "fail", since: at(1_000) }, previousStatus: "pass" });
    expect(needsConfirmation([twice])).toBe(false);
  });

  it("does not change if the confirmation check is too early or has another result", () => {
    const once = checkRun(checkRun(undefined, "pass", 0), "fail", 1_000);
    expect(checkRun(once, "fail", 2_000).known?.status).toBe("pass");
    const other = checkRun(once, "warn", 1_000 + CONFIRMATION_MS);
    expect(other).toMatchObject({ known: { status: "pass" }, contrary: { status: "warn" } });
    expect(checkRun(once, "pass", 1_000 + CONFIRMATION_MS)).not.toHaveProperty("contrary");
  });

  it("is kept through errors, which are reported", () => {
    const failing = checkRun(checkRun(undefined, "pass", 0), "error", 1_000);
    expect(shownStatus(failing)).toBe("error");
    expect(failing.known).toMatchObject({ status: "pass", at: at(0) });
    expect(checkRun(failing, "error", 2_000).failing?.since).toEqual(at(1_000));
    expect(shownStatus(checkRun(failing, "pass", 3_000))).toBe("pass");
  });

  it("changes at once if its owner has requested the check, or if nothing was tested before", () => {
    expect(checkRun(checkRun(undefined, "fail", 0), "pass", 1, true).known?.status).toBe("pass");
    expect(checkRun(checkRun(undefined, "not_tested", 0), "fail", 1).known?.status).toBe("fail");
  });

  it("never holds a result that was not seen twice in a row", () => {
    const statuses = fc.constantFrom<CheckStatus>("pass", "warn", "fail", "error");
    fc.assert(
      fc.property(fc.array(statuses, { minLength: 1, maxLength: 30 }), (seen) => {
        let standing = checkRun(undefined, "pass", 0);
        const texts = ["pass"];
        for (const [index, status] of seen.entries()) {
          standing = checkRun(standing, status, (index + 1) * CONFIRMATION_MS);
          if (status !== "error") texts.push(status);
          const held = standing.known?.status ?? "";
          const isPair = texts.some((one, at) => one === held && (at === 0 || texts[at - 1] === held));
          expect(isPair).toBe(true);
        }
      }),
    );
  });
});

describe("the texts of a check", () => {
  it("keep their parts, and lose them with a result that is known only in English", () => {
    const texts = {
      ...observedFields(phrase("check.other_failed")),
      ...expectedFields(phrase("check.not_run")),
    };
    const { observedParts } = texts;
    const result = { id: "auth.spf.exists", evidence: [], ...texts } as const;
    const first = afterCheck(undefined, { ...result, status: "pass" }, { at: at(0) });
    expect(first).toMatchObject({ expectedParts: texts.expectedParts, known: { observedParts } });
    const failed = afterCheck(first, { ...result, status: "error" }, { at: at(1_000) });
    expect(failed).toMatchObject({ known: { observedParts }, failing: { observedParts } });
    const { known, expectedParts } = checkRun(failed, "pass", 2_000);
    expect([known?.observedParts, expectedParts]).toEqual([undefined, undefined]);
  });
});
