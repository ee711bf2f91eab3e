import type { RetentionTimes } from "../../store/retention-document.ts";
import type { Retention } from "../dependencies.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long something of an account is kept. */
export interface KeptTime {
  readonly ms: number;
  /** In the setting's own unit: what is in effect, and the installation's, which is the most. */
  readonly kept: number;
  readonly most: number;
  /** The account's own time is the shorter one. */
  readonly isOwn: boolean;
}

/** What is in effect: an account keeps nothing longer than the installation does, whatever it was set to before. */
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
