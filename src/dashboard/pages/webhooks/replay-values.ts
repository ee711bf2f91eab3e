import type { DeliveryFilter, Replays } from "../../api/deliveries.ts";

/** Values of the form for a replay. */
export interface ReplayValues {
  /** Local time such as `2030-01-02T09:00`, in the time zone of the browser; empty: all that are kept. */
  from: string;
  /** Empty: now. */
  until: string;
  types: string[];
  /** Class of the last answer; null: any. */
  status: string | null;
  delivered: boolean;
}

export const allFailed: ReplayValues = { from: "", until: "", types: [], status: null, delivered: false };

/** Values for the deliveries of a list: those that have ended, by its filters. */
export function valuesOf({ from, until, type, status, state }: DeliveryFilter): ReplayValues {
  return {
    from: from === undefined ? "" : localSecond(from),
    until: until === undefined ? "" : localSecond(until),
    types: type === undefined ? [] : [type],
    status: status ?? null,
    delivered: state === "delivered",
  };
}

/** A time in the format of a `datetime-local` field, with seconds; empty if the address has no time. */
function localSecond(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Body of the count and of the replay, so that both select the same deliveries. @param now end of an open range */
export function replayBody({ from, until, types, status, delivered }: ReplayValues, now: Date): Replays {
  return {
    ...(from !== "" && { from: new Date(from).toISOString() }),
    until: until === "" ? now.toISOString() : new Date(until).toISOString(),
    ...(types.length > 0 && { types }),
    ...(status !== null && { status }),
    ...(delivered && { delivered }),
  };
}
