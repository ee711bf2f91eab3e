import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  Hit,
  RecordHitsRequest,
  RecordHitsResponseSchema,
} from "../../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { messageEvent } from "../../events/message-event.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import { classifyHit, type HitClass } from "../../message/tracking/classify-hit.ts";
import type { TrackedHit, TrackingTokens } from "../../message/tracking/token.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { waitingStates } from "../../shared/message-state.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { NewEvent } from "../../store/journal/journal-documents.ts";
import type { EngagementCount, MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";

export interface RecordHitsOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  readonly tokens: TrackingTokens;
  readonly clock: Pick<Clock, "now">;
  /** How long events are kept. */
  readonly retentionMs: number;
  readonly keepUserAgents: boolean;
  readonly keepClientAddresses: boolean;
}

/** A hit whose token is good. */
interface KnownHit {
  readonly hit: Hit;
  readonly at: Date;
  readonly of: TrackedHit;
}

/** As many as a front end hands over at once. */
const MAX_HITS = 500;
/** Of one kind and message: those beyond are counted, and have no event. */
export const EVENTS_OF_KIND = 100;
const HIT_ID = /^[A-Za-z0-9_-]{1,40}$/;
const MAX_USER_AGENT_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 45;

/**
 * Records opens and clicks, in the order in which they came for each message:
 *
 * 1. their tokens are read, and their messages looked for; what is unknown is left out
 * 2. each is told to be a person's or a program's, and counted at its message
 * 3. the first that a person made is claimed under its id: when it comes again, it still is the first
 * 4. the events of all are written in one batch; their ids follow from those of the hits
 *
 * @throws Fault request.validation_failed; store.unavailable: doing it again writes no event twice, but may count twice
 */
export function createRecordHits(options: RecordHitsOptions) {
  const { store, tokens, clock } = options;

  /** @returns undefined: the message is gone */
  async function eventOf(
    message: MessageDocument,
    { hit, at, of }: KnownHit,
    former: EngagementCount | undefined,
  ): Promise<{ readonly event: NewEvent | undefined; readonly link: string | undefined } | undefined> {
    const { messages } = store.forAccount(message.accountId);
    const link = of.kind === "clicked" ? digestOf(of.target) : undefined;
    const isOtherLink = former?.lastLink !== undefined && former.lastLink !== link;
    const hitClass = classifyHit({
      kind: of.kind,
      userAgent: hit.userAgent,
      prefetch: hit.prefetch,
      sinceDeliveredMs: sinceDelivered(message, at),
      sinceOtherLinkMs: isOtherLink ? Math.abs(at.getTime() - former.lastAt.getTime()) : undefined,
    });
    const isMachine = hitClass.machineReason !== undefined;
    const count = await messages.countEngagement(message, of.kind, { at, isMachine, link });
    if (count === 0) return undefined;
    const isFirst =
      !isMachine &&
      (message.engagement?.[of.kind]?.first?.hitId === hit.id ||
        (await messages.claimFirstEngagement(message, of.kind, { hitId: hit.id, at })));
    // The first that a person made is told of, however many programs were there before.
    if (count > EVENTS_OF_KIND && !isFirst) return { event: undefined, link };
    return { event: toEvent(message, { hit, at, of }, hitClass, isFirst), link };
  }

  function toEvent(
    message: MessageDocument,
    { hit, at, of }: KnownHit,
    { machineReason, proxy }: HitClass,
    isFirst: boolean,
  ): NewEvent {
    const userAgent = options.keepUserAgents ? kept(hit.userAgent, MAX_USER_AGENT_LENGTH) : undefined;
    const clientAddress = options.keepClientAddresses
      ? kept(hit.clientAddress, MAX_ADDRESS_LENGTH)
      : undefined;
    const url = of.kind === "clicked" ? of.target : undefined;
    return messageEvent(message, {
      kind: of.kind,
      name: `${of.kind}-${hit.id}`,
      attempt: 0,
      at,
      expireAt: new Date(at.getTime() + options.retentionMs),
      reply: { detail: safeDetail(url ?? "") },
      hit: {
        ...(isFirst && { first: true as const }),
        ...withoutUndefined({ url, machineReason, proxy, userAgent, clientAddress }),
      },
    });
  }

  async function recordMessage(message: MessageDocument, hits: readonly KnownHit[]) {
    const events: NewEvent[] = [];
    let leftOut = 0;
    const former = { ...message.engagement };
    for (const known of hits) {
      const { kind } = known.of;
      const recorded = await eventOf(message, known, former[kind]);
      if (!recorded) {
        leftOut++;
        continue;
      }
      const lastLink = recorded.link;
      former[kind] = { count: 0, lastAt: known.at, ...(lastLink !== undefined && { lastLink }) };
      if (recorded.event) events.push(recorded.event);
    }
    return { events, leftOut };
  }

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
  if (hits.length > MAX_HITS) faults.add("/hits", "field.too_many", `At most ${MAX_HITS} hits at once.`);
  for (const [index, { id }] of hits.entries()) {
    if (HIT_ID.test(id)) continue;
    const message = "The id of a hit has 1 to 40 of A-Z, a-z, 0-9, _ and -.";
    faults.add(pointer("hits", index, "id"), "field.invalid", message);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
}

/** undefined: it is not delivered yet, as far as is known; Infinity: nobody knows any more when it was. */
function sinceDelivered({ state, updatedAt }: MessageDocument, at: Date): number | undefined {
  if (waitingStates.some((waiting) => waiting === state)) return undefined;
  if (state !== "delivered" && state !== "captured") return Number.POSITIVE_INFINITY;
  const ms = at.getTime() - updatedAt.getTime();
  return ms < 0 ? undefined : ms;
}

/** Tells links of one message from each other. */
function digestOf(target: string): string {
  return createHash("sha256").update(target).digest("base64url").slice(0, 16);
}

/** A stranger's words, made safe to keep and to show. */
function kept(text: string, length: number): string | undefined {
  return safeDetail(text.slice(0, length)) || undefined;
}
