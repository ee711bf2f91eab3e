import { createHash } from "node:crypto";
import type { Hit } from "../../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { messageEvent } from "../../events/message-event.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import { classifyHit, type HitClass } from "../../message/tracking/classify-hit.ts";
import type { TrackedHit } from "../../message/tracking/token.ts";
import { waitingStates } from "../../shared/message-state.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { NewEvent } from "../../store/journal/journal-documents.ts";
import type { EngagementCount, MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";

export interface HitRecorderOptions {
  readonly store: Pick<Store, "forAccount">;
  /** Retention time of events. */
  readonly retentionMs: number;
  readonly keepUserAgents: boolean;
  readonly keepClientAddresses: boolean;
}

/** A hit of an existing message. */
export interface KnownHit {
  readonly hit: Pick<Hit, "id" | "userAgent" | "clientAddress" | "prefetch">;
  readonly at: Date;
  readonly of: TrackedHit;
}

/** Maximum number of events per kind and message: further hits are only counted. */
export const EVENTS_OF_KIND = 100;
const MAX_USER_AGENT_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 45;

/** Name of a hit's event within its message. */
export function hitName({ hit, of }: KnownHit): string {
  return `${of.kind}-${hit.id}`;
}

/**
 * Counts the hits of one message in their order, and returns their events, which are not stored yet; `leftOut`: the
 * message was removed.
 * @throws Fault store.unavailable: a repetition may count twice
 */
export function createHitRecorder(options: HitRecorderOptions) {
  const { store } = options;

  /** @returns undefined: the message was removed */
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
    // The first hit by a person is reported, even after many hits by programs.
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
      name: hitName({ hit, at, of }),
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

  /** Before the first hit of a kind is counted, so that the index contains every opened message. */
  async function makeFindable(message: MessageDocument, hits: readonly KnownHit[]): Promise<void> {
    const fresh = hits.filter(({ of }) => !message.engagement?.[of.kind]);
    if (fresh.length === 0) return;
    const counted = Object.fromEntries(fresh.map(({ of, at }) => [of.kind, { count: 1, lastAt: at }]));
    const { search } = store.forAccount(message.accountId);
    await search.add([{ ...message, engagement: { ...message.engagement, ...counted } }]);
  }

  return async (message: MessageDocument, hits: readonly KnownHit[]) => {
    await makeFindable(message, hits);
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
  };
}

/** undefined: not known to be delivered yet; Infinity: the time of the delivery is no longer known. */
function sinceDelivered({ state, updatedAt }: MessageDocument, at: Date): number | undefined {
  if (waitingStates.some((waiting) => waiting === state)) return undefined;
  if (state !== "delivered" && state !== "captured") return Number.POSITIVE_INFINITY;
  const ms = at.getTime() - updatedAt.getTime();
  return ms < 0 ? undefined : ms;
}

/** Distinguishes the links of one message. */
function digestOf(target: string): string {
  return createHash("sha256").update(target).digest("base64url").slice(0, 16);
}

/** Text of a client in a form that is safe to store and to show. */
function kept(text: string, length: number): string | undefined {
  return safeDetail(text.slice(0, length)) || undefined;
}
