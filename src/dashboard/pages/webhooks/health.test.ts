import { describe, expect, it } from "vitest";
import type { WebhookAttempts } from "../../api/webhooks.ts";
import { healthOf } from "./health.ts";

const now = new Date("2026-11-27T12:00:00Z");
const none = { status_3xx: 0, status_4xx: 0, status_5xx: 0, no_answer: 0 };
const day = (count: number, accepted: number, p95_ms = 310): WebhookAttempts => ({
  ...none,
  count,
  accepted,
  failed: count - accepted,
  ...(count > 0 && { durations: { p50_ms: 84, p95_ms, p99_ms: p95_ms } }),
});

describe("the health of an endpoint", () => {
  it("is good if it accepted everything", () => {
    expect(healthOf({}, day(1_200, 1_200), now)).toEqual({
      tone: "ok",
      sentences: ["The endpoint accepted all 1,200 requests of the last 24 hours."],
    });
    expect(healthOf({}, day(1, 1), now).sentences).toEqual([
      "The endpoint accepted the only request of the last 24 hours.",
    ]);
  });

  it("names the rate if it refused some", () => {
    const { tone, sentences } = healthOf({}, day(1_000, 983), now);
    expect(tone).toBe("warn");
    expect(sentences).toEqual(["The endpoint accepted 98.3\u00a0% of 1,000 requests in the last 24 hours."]);
  });

  it("warns of answers that come close to the time limit", () => {
    const { tone, sentences } = healthOf({}, day(10, 10, 9_000), now);
    expect(tone).toBe("warn");
    expect(sentences[1]).toContain("9.0 s");
  });

  it("says since when it accepts nothing, and when Hermod disables it", () => {
    const { tone, sentences } = healthOf({ failing_since: "2026-11-26T12:00:00.000Z" }, day(9, 0), now);
    expect(tone).toBe("bad");
    expect(sentences[0]).toMatch(/^The endpoint has accepted nothing since 26 Nov, /);
    expect(sentences[1]).toMatch(/^If this goes on, Hermod disables it 1 Dec, /);
  });

  it("claims nothing without requests, and nothing before they are counted", () => {
    expect(healthOf({}, day(0, 0), now)).toEqual({
      tone: "idle",
      sentences: ["No event was sent to the endpoint in the last 24 hours."],
    });
    expect(healthOf({}, undefined, now).sentences).toEqual([]);
  });
});
