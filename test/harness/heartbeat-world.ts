import {
  deadlineOf,
  type Heartbeat,
  type HeartbeatChange,
  type HeartbeatStep,
  type HeartbeatTimes,
  heartbeatState,
  missPing,
  type Outage,
  type PingKind,
  pauseHeartbeat,
  pingWindow,
  resumeHeartbeat,
  retimeHeartbeat,
  takePing,
  withProgress,
} from "../../src/alerts/heartbeat.ts";

/** One heartbeat without a store. Its times are milliseconds from a beginning. */
export function createHeartbeatWorld(first: Heartbeat, beginMs: number) {
  let heartbeat = first;
  const changes: HeartbeatChange[] = [];
  const outages: Outage[] = [];
  const at = (ms: number) => new Date(beginMs + ms);

  function apply({ progress, change }: HeartbeatStep): void {
    heartbeat = withProgress(heartbeat, progress);
    if (change) changes.push(change);
  }

  /** The outage that ended last, of those that overlap this time. */
  function outageWithin(window: Outage): Outage | undefined {
    const found = outages.filter(({ from, to }) => from < window.to && to > window.from);
    return found.toSorted((a, b) => b.to.getTime() - a.to.getTime())[0];
  }

  return {
    changes,
    heartbeat: () => heartbeat,
    state: (ms: number) => heartbeatState(heartbeat, at(ms)),
    ping: (kind: PingKind, ms: number) => apply(takePing(heartbeat, kind, at(ms))),
    pause: (ms: number) => apply(pauseHeartbeat(heartbeat, at(ms))),
    resume: (ms: number) => apply(resumeHeartbeat(heartbeat, at(ms))),
    retime({ schedule, graceMs }: HeartbeatTimes, ms: number): void {
      const times = { schedule, graceMs };
      apply(retimeHeartbeat(heartbeat, times, at(ms)));
      heartbeat = { ...heartbeat, ...times };
    },
    outage: (fromMs: number, toMs: number) => void outages.push({ from: at(fromMs), to: at(toMs) }),

    /** A worker decides about missed pings. */
    check(ms: number): void {
      for (;;) {
        const window = pingWindow(heartbeat);
        const deadline = deadlineOf(heartbeat);
        if (!window || !deadline || deadline > at(ms)) return;
        apply(missPing(heartbeat, outageWithin(window)));
      }
    },
  };
}
