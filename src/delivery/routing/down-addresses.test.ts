import { expect, it } from "vitest";
import { phrase } from "../../shared/phrase.ts";
import { createDownAddresses } from "./down-addresses.ts";

/** Time for which an address is not tried after a failure that took this long. */
function rememberedMs(tookMs: number): number {
  let nowMs = 0;
  const down = createDownAddresses({ clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs } });
  down.failed("address", phrase("server.connect_timeout", { ms: tookMs }), tookMs);
  while (down.check("address")) nowMs += 1_000;
  return nowMs;
}

it("remembers a failure for longer if it took longer to detect", () => {
  expect([0, 1_000, 30_000].map(rememberedMs)).toEqual([5_000, 10_000, 60_000]);
});
