import type { RetentionTimes } from "../../store/retention-document.ts";
import type { Retention } from "../dependencies.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Retention time of one kind of an account's data. */
export interface KeptTime {
  readonly ms: number;
  /** In the unit of the setting: the time in effect, and the installation's time, which is the maximum. */
  readonly kept: number;
  readonly most: number;
  /** The account's own time applies, because it is shorter. */
  readonly isOwn: boolean;
}

/** Times in effect. An account's time never exceeds the installation's, even if it was set earlier. */
export function timesOf(times: RetentionTimes, retention: Retention) {
  return {
    content: keptTime(times.contentDays, retention.contentMs, DAY_MS),
    message: keptTime(times.messageDays, retention.messageMs, DAY_MS),
    request: keptTime(times.requestDays, retention.requestMs, DAY_MS),
    sandbox: keptTime(times.sandboxHours, retention.sandboxMs, HOUR_MS),
  };
}

function keptTime(own: number | undefined, mostMs: number, unitMs: number): KeptTime {
  const most = Math.floor(mostMs / unitMs);
  const isOwn = own !== undefined && own * unitMs < mostMs;
  return isOwn ? { ms: own * unitMs, kept: own, most, isOwn } : { ms: mostMs, kept: most, most, isOwn };
}
