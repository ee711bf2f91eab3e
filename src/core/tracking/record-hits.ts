import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  Hit,
  RecordHitsRequest,
  RecordHitsResponseSchema,
} from "../../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import type { TrackingTokens } from "../../message/tracking/token.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { createHitRecorder, type HitRecorderOptions, type KnownHit } from "./hit-recorder.ts";

export interface RecordHitsOptions extends HitRecorderOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  readonly tokens: TrackingTokens;
  readonly clock: Pick<Clock, "now">;
}

/** Maximum number of hits that a front end sends at once. */
const MAX_HITS = 500;
const HIT_ID = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * Records opens and clicks in the order of their arrival for each message:
 *
 * 1. reads their tokens, and finds their messages; unknown ones are omitted
 * 2. attributes each hit to a person or a program, and counts it at its message
 * 3. claims the first hit by a person under its id: a repetition is still the first
 * 4. writes all events in one batch; their ids are derived from those of the hits
 *
 * @throws Fault request.validation_failed; store.unavailable: a repetition writes no event twice, but may count twice
 */
export function createRecordHits(options: RecordHitsOptions) {
  const { store, tokens, clock } = options;
  const recordMessage = createHitRecorder(options);

  return async ({ hits }: RecordHitsRequest): Promise<MessageInitShape<typeof RecordHitsResponseSchema>> => {
    checkHits(hits);
    const known = hits.flatMap((hit): KnownHit[] => {
      const of = tokens.decode(hit.token);
      return of ? [{ hit, at: hit.at ? timestampDate(hit.at) : clock.now(), of }] : [];
    });
    const byMessage = new Map<string, KnownHit[]>();
    for (const one of known) {
      byMessage.set(one.of.messageId, [...(byMessage.get(one.of.messageId) ?? []), one]);
    }
    const messages = await store.acrossAccounts.messages.findByIds([...byMessage.keys()]);
    const recorded = await Promise.all(
      messages.map((message) => recordMessage(message, byMessage.get(message._id) ?? [])),
    );
    const found = messages.reduce((sum, { _id }) => sum + (byMessage.get(_id)?.length ?? 0), 0);
    const leftOut = recorded.reduce((sum, one) => sum + one.leftOut, hits.length - found);
    await store.acrossAccounts.events.insertMissing(recorded.flatMap(({ events }) => events));
    return { recorded: hits.length - leftOut, leftOut };
  };
}

/** @throws Fault request.validation_failed */
function checkHits(hits: readonly Hit[]): void {
  const faults = createFieldFaults();
  if (hits.length > MAX_HITS) faults.add("/hits", "field.too_many", say("most_hits_once", { max: MAX_HITS }));
  for (const [index, { id }] of hits.entries()) {
    if (HIT_ID.test(id)) continue;
    const message = say("hit_id");
    faults.add(pointer("hits", index, "id"), "field.invalid", message);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
}
