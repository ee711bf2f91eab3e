import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { SilenceSchema } from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import type { Silence } from "../../alerts/mutes.ts";
import { createEffectUntil, endOfSilence, NO_END, nextEffectOf } from "../../alerts/silence-times.ts";
import { silenceRevision } from "../../store/revisions.ts";
import { toCondition } from "./rule-to-proto.ts";

export function toSilence(silence: Silence, now: Date): MessageInitShape<typeof SilenceSchema> {
  const { _id: id, accountId, matchers, startsAt, weekly, comment, createdBy, createdAt } = silence;
  const endsAt = endOf(endOfSilence(silence));
  const activeUntil = createEffectUntil(silence)(now);
  const activeEnd = activeUntil && endOf(activeUntil);
  const next = activeUntil ? undefined : nextEffectOf(silence, now);
  return {
    id,
    accountId,
    comment,
    createdBy,
    match: matchers.match.map(toCondition),
    any: matchers.any.map(toCondition),
    startsAt: timestampFromDate(startsAt),
    ...(endsAt && { endsAt }),
    ...(weekly && {
      weekly: {
        timeZone: weekly.zone,
        windows: weekly.windows.map(({ days, from, to }) => ({ days: [...days], from, to })),
      },
    }),
    createdAt: timestampFromDate(createdAt),
    state: activeUntil ? "active" : next ? "pending" : "expired",
    ...(activeEnd && { activeUntil: activeEnd }),
    ...(next && { nextStartAt: timestampFromDate(next) }),
    revision: silenceRevision(silence),
  };
}

/** undefined: it has none. */
function endOf(at: Date) {
  return at < NO_END ? timestampFromDate(at) : undefined;
}
