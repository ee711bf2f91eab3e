import { ANNOUNCE_MS, createAnnounceCore } from "../core/heartbeats/announce-core.ts";
import { type CheckHeartbeatsNeeds, createCheckHeartbeats } from "../core/heartbeats/check-heartbeats.ts";
import type { BackgroundWork } from "../shared/background.ts";
import { withinTime } from "./readiness.ts";

/** Interval of checks for missed pings. */
const HEARTBEATS_MS = 1_000;

/** Background work of the core for heartbeats. The check announces the core too: it must know of every outage before. */
export function heartbeatBackground(
  needs: Omit<CheckHeartbeatsNeeds, "announce">,
): readonly BackgroundWork[] {
  const { announce, stop } = createAnnounceCore(needs);
  return [
    {
      name: "announcements of the core",
      everyMs: ANNOUNCE_MS,
      run: async () => void (await announce()),
      stop: () => withinTime(stop()),
    },
    { name: "heartbeats", everyMs: HEARTBEATS_MS, run: createCheckHeartbeats({ ...needs, announce }) },
  ];
}
