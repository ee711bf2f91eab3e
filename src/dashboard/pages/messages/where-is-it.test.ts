import { describe, expect, it } from "vitest";
import { messageStates } from "../../../../contracts/common/message-filter.ts";
import type { MessageEvent } from "../../api/messages.ts";
import { whereIsIt } from "./where-is-it.ts";

const now = new Date("2026-11-27T12:00:00Z");
const at = "2026-11-27T11:59:00.000Z";
const event = (kind: string, detail: string) => ({ kind, detail }) as MessageEvent;

describe("the sentence about the state of a message", () => {
  it.each(messageStates.map((state) => [state]))("is different for each state: %s", (state) => {
    const { answer } = whereIsIt({ state, updated_at: at }, [], now);
    expect(answer).toMatch(/^[A-Z].*\.$/);
    expect(answer).not.toContain("State:");
  });

  it("shows the name of a state of a later release", () => {
    expect(whereIsIt({ state: "levitating", updated_at: at }, [], now).answer).toBe("State: levitating.");
  });

  it("names the next attempt of a deferred message", () => {
    const message = { state: "deferred", updated_at: at, next_attempt_at: "2026-11-27T12:05:00.000Z" };
    expect(whereIsIt(message, [], now).answer).toMatch(
      /^Waiting\. The next attempt is \d\d:\d\d:\d\d, in 5 min\.$/,
    );
    const soon = new Date("2026-11-27T12:04:20.400Z");
    expect(whereIsIt(message, [], soon).answer).toMatch(/, in 39 s\.$/);
    const late = new Date("2026-11-27T12:05:01Z");
    expect(whereIsIt(message, [], late).answer).toBe("Waiting. The next attempt is due now.");
  });

  it("gives the last reply as the reason, and no open or click", () => {
    const timeline = [
      event("accepted", ""),
      event("deferred", "451 greylisted"),
      event("opened", "a program"),
    ];
    expect(whereIsIt({ state: "deferred", updated_at: at }, timeline, now).reason).toBe("451 greylisted");
  });
});
