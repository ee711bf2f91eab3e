import { describe, expect, it } from "vitest";
import { canBecome, isFinal, messageStates, statesBeforeOutcome, waitingStates } from "./message-state.ts";

describe("message states", () => {
  it("never leave a final one, but for what recipients report of delivered mail", () => {
    for (const from of messageStates.filter(isFinal)) {
      const next = messageStates.filter((to) => canBecome(from, to));
      expect(next).toEqual(from === "delivered" ? ["bounced", "complained"] : []);
    }
  });

  it("let an attempt end only a message that waits", () => {
    expect(statesBeforeOutcome("delivered").toSorted()).toEqual([...waitingStates].toSorted());
    expect(statesBeforeOutcome("complained")).toEqual([]);
    expect(statesBeforeOutcome("accepted")).toEqual([]);
  });

  it("let every message that waits be cancelled, and no other", () => {
    expect(messageStates.filter((from) => canBecome(from, "cancelled")).toSorted()).toEqual(
      [...waitingStates].toSorted(),
    );
  });

  it("are reachable, each of them, from accepted", () => {
    const reached = new Set(["accepted"]);
    for (const from of reached) {
      for (const to of messageStates) if (canBecome(from as "accepted", to)) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual([...messageStates].toSorted());
  });
});
