import { describe, expect, it } from "vitest";
import { createTrackingTokens } from "../message/tracking/token.ts";
import type { CoreClient } from "../rpc/client.ts";
import { fault } from "../shared/fault.ts";
import { createHitCollector, MOST_HITS, MOST_HITS_OF_TOKEN } from "./hit-collector.ts";

const key = Buffer.alloc(32, 1);
const hit = { token: "t", userAgent: "agent", clientAddress: "192.0.2.1", prefetch: false };

/** A collector with a core that the test can make unavailable. */
function collector() {
  const batches: { readonly id: string; readonly userAgent: string }[][] = [];
  const state = { failure: undefined as Error | undefined, asked: 0, leftOut: 0 };
  const tracking = {
    getTokenKey: async () => {
      state.asked++;
      if (state.failure) throw state.failure;
      return { key };
    },
    recordHits: async ({ hits }: { hits: { id: string; userAgent: string }[] }) => {
      if (state.failure) throw state.failure;
      batches.push(hits);
      return { recorded: hits.length, leftOut: 0 };
    },
  };
  const hits = createHitCollector({
    core: { tracking } as unknown as Pick<CoreClient, "tracking">,
    clock: { now: () => new Date(0) },
    onLeftOut: (count) => {
      state.leftOut += count;
    },
  });
  return { hits, batches, state };
}

describe("hits", () => {
  it("wait while the core is unavailable, and are then reported once, under one id", async () => {
    const { hits, batches, state } = collector();
    hits.add(hit);
    state.failure = fault("core.unavailable");
    await expect(hits.flush()).rejects.toMatchObject({ code: "core.unavailable" });
    hits.add(hit);
    state.failure = undefined;
    await hits.flush();
    await hits.flush();
    expect(batches.map((batch) => batch.length)).toEqual([2]);
    expect(new Set(batches[0]?.map(({ id }) => id)).size).toBe(2);
    expect(state.leftOut).toBe(0);
  });

  it("are sent in order, in batches that the core accepts", async () => {
    const { hits, batches } = collector();
    for (let n = 0; n < 1_001; n++) hits.add({ ...hit, token: `t${n}`, userAgent: String(n) });
    await hits.flush();
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 1]);
    expect(batches.flat().map(({ userAgent }) => Number(userAgent))).toEqual(
      Array.from({ length: 1_001 }, (_, n) => n),
    );
  });

  it("have limits, and those beyond are counted", async () => {
    const { hits, batches, state } = collector();
    for (let n = 0; n < MOST_HITS + 3; n++)
      hits.add({ ...hit, token: `t${n}`, userAgent: "x".repeat(10_000) });
    expect(state.leftOut).toBe(3);
    await hits.flush();
    expect(batches.flat()).toHaveLength(MOST_HITS);
    expect(batches[0]?.[0]?.userAgent).toHaveLength(500);
  });

  it("of one token have their own limit until they are sent to the core", async () => {
    const { hits, batches, state } = collector();
    const addMany = () => {
      for (let n = 0; n < MOST_HITS_OF_TOKEN + 2; n++) hits.add(hit);
      hits.add({ ...hit, token: "other" });
    };
    addMany();
    expect(state.leftOut).toBe(2);
    await hits.flush();
    addMany();
    await hits.flush();
    expect(batches.map((batch) => batch.length)).toEqual([MOST_HITS_OF_TOKEN + 1, MOST_HITS_OF_TOKEN + 1]);
    expect(state.leftOut).toBe(4);
  });

  it("that the core refuses are dropped, so that they are not sent forever", async () => {
    const { hits, batches, state } = collector();
    hits.add(hit);
    state.failure = fault("request.validation_failed");
    await hits.flush();
    state.failure = undefined;
    await hits.flush();
    expect([batches.length, state.leftOut]).toEqual([0, 1]);
  });
});

describe("the key of tokens", () => {
  it("is requested once for any number of waiting callers, and again after a failure", async () => {
    const { hits, state } = collector();
    state.failure = fault("core.unavailable");
    await expect(hits.tokens()).rejects.toMatchObject({ code: "core.unavailable" });
    state.failure = undefined;
    const [one, other] = await Promise.all([hits.tokens(), hits.tokens()]);
    expect(one).toBe(other);
    expect(state.asked).toBe(2);
    // From here on the core may be unavailable.
    state.failure = fault("core.unavailable");
    const opened = { kind: "opened", messageId: "msg_1" } as const;
    expect((await hits.tokens()).decode(createTrackingTokens(key).encode(opened))).toEqual(opened);
  });
});
