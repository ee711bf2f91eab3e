import { domainOf } from "../message/address/addresses.ts";
import type { MessageBody } from "../message/content.ts";
import { following, moreTelling } from "../message/replies/more-telling.ts";
import { safeDetail, type TransportOutcome } from "../message/replies/outcome.ts";
import { type Decision, decide } from "../routing/transports-for.ts";
import type { Logger } from "../shared/logger.ts";
import { settingsAccountOf } from "../shared/operations.ts";
import type { OpenConnections } from "../smtp-client/open-connections.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { PolicyDocument } from "../store/policy-document.ts";
import { revisionOf } from "../store/policy-store.ts";
import { isStoreAway } from "../store/store-fault.ts";
import {
  type AttemptOutcome,
  type AttemptResult,
  type AttemptResultOptions,
  attemptResult,
  ownReply,
} from "./attempt-result.ts";
import { type PreparedMail, type PrepareMailOptions, prepareMail } from "./prepare-mail.ts";
import type { CheckSuppression } from "./queue/check-suppression.ts";
import { type LoadBody, UnreadableBodyError } from "./queue/load-body.ts";
import type { TransportFor } from "./transports/transport-cache.ts";

export interface DeliverOptions extends PrepareMailOptions, AttemptResultOptions {
  /** Asked before every attempt. */
  readonly checkSuppression: CheckSuppression;
  /** The policy as it is now, a few seconds old at most. */
  readonly findPolicy: (accountId: string, name: string) => Promise<PolicyDocument | undefined>;
  readonly loadBody: LoadBody;
  /** The transport of these settings, shared by all messages that use it. */
  readonly transportFor: TransportFor;
  readonly log?: Logger;
}

/** What an attempt may use. */
export interface AttemptMeans {
  /** The body, when it is at hand; otherwise it is loaded. */
  readonly body?: MessageBody | undefined;
  /** Whether the message is still to be sent from here: asked before each transport and each step to the final dot. */
  readonly mayFinish?: () => boolean;
  /** Those to its destination: the ones that it uses are counted there. */
  readonly connections?: OpenConnections;
}

/** The attempt was given up before any server could have the message: nothing is to be recorded. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/**
 * Makes one attempt.
 * @throws Fault store.unavailable: nothing was attempted
 * @throws AbandonedError
 */
export type Deliver = (message: MessageDocument, means?: AttemptMeans) => Promise<AttemptResult>;

/**
 * One attempt, in these steps, each of which may be the last one before the result:
 *
 * 1. check: the suppression list, as it is now
 * 2. policy: as it is now
 * 3. body: from memory, or from the store
 * 4. mail: the octets that go out and their envelope (`prepare-mail.ts`), signed as each transport says
 * 5. transports: the policy's, in their order, until a server says something about the message
 * 6. result: what is to be recorded of it (`attempt-result.ts`)
 */
export function createDeliver(options: DeliverOptions): Deliver {
  const { checkSuppression, findPolicy, loadBody, transportFor, log, clock } = options;

  async function attempt(message: MessageDocument, means: AttemptMeans): Promise<AttemptResult> {
    const suppression = await checkSuppression(message);
    if (suppression) {
      const { to, detail, entry } = suppression;
      return resultOf(message, { ...own(to, detail), suppression: entry });
    }
    const policy = await findPolicy(settingsAccountOf(message), message.policy);
    if (!policy) return resultOf(message, own("failed", `the routing policy "${message.policy}" is gone`));
    const body = means.body ?? (await loadBody(message));
    if (!body) return resultOf(message, own("failed", "the body is past its retention"));
    const prepared = await prepareMail(message, policy, body, options);
    if ("kind" in prepared) return resultOf(message, prepared, policy);
    const decision = decide(policy, domainOf(message.recipient));
    const outcome = await tryTransports(message, { policy, decision }, prepared, means);
    const decidedBy = choiceOf(policy, decision);
    return resultOf(message, { ...noting(outcome, prepared.untracked), decidedBy }, policy);
  }

  async function tryTransports(
    { resumeAt }: MessageDocument,
    { policy, decision }: { readonly policy: PolicyDocument; readonly decision: Decision },
    { mailFor }: PreparedMail,
    { mayFinish, connections }: AttemptMeans,
  ): Promise<AttemptOutcome> {
    let outcome: TransportOutcome | undefined;
    let servedMs = 0;
    const places = placesOf(resumeAt);
    const more = () => ({
      durationMs: Math.round(servedMs),
      ...(places.some((place) => place > 0) && { resumeAt: places }),
    });
    for (const [index, settings] of decision.transports.entries()) {
      if (mayFinish?.() === false) throw new AbandonedError("the message is no longer to be sent from here");
      const mail = await mailFor(settings);
      if ("kind" in mail) return mail;
      const startedMs = clock.monotonicMs();
      const { kind, reply, ...ended } = await transportFor(settings, policy).deliver({
        ...mail,
        mayFinish,
        connections,
        startAt: places[index] ?? 0,
      });
      places[index] = ended.resumeAt ?? 0;
      servedMs += clock.monotonicMs() - startedMs;
      if (kind === "abandoned") throw new AbandonedError(reply.detail);
      if (kind !== "unreachable") {
        return { kind, reply: following(outcome, { kind, reply }).reply, ...more() };
      }
      outcome = moreTelling(outcome, { kind, reply });
    }
    const reply = outcome?.reply ?? ownReply("the policy has no transport");
    return { kind: "unreachable", reply, ...more() };
  }

  function resultOf(
    message: MessageDocument,
    outcome: AttemptOutcome,
    policy?: PolicyDocument,
  ): AttemptResult {
    return attemptResult(message, outcome, policy ?? {}, options);
  }

  return async (message, means = {}) => {
    try {
      return await attempt(message, means);
    } catch (error) {
      if (error instanceof AbandonedError || isStoreAway(error)) throw error;
      if (error instanceof UnreadableBodyError) return resultOf(message, own("failed", error.message));
      // Counted as an attempt, or it would be made again for ever, and at once.
      log?.error({ err: error, message: message._id, traceId: message.traceId }, "an attempt broke off");
      return resultOf(message, own("unreachable", `the attempt broke off: ${error}`));
    }
  };
}

/** For the timeline: the policy may be another one by the time that people look. */
function choiceOf(policy: PolicyDocument, { rule }: Decision): NonNullable<AttemptOutcome["decidedBy"]> {
  return {
    policy: policy.name,
    revision: revisionOf(policy),
    rules: policy.rules?.length ?? 0,
    ...(rule && { rule }),
  };
}

/** A place that a stored message cannot have is the beginning. */
function placesOf(resumeAt: unknown): number[] {
  if (!Array.isArray(resumeAt)) return [];
  return resumeAt.map((place) => (Number.isSafeInteger(place) && place > 0 ? place : 0));
}

/** An outcome that no server has a part in. */
function own(kind: AttemptOutcome["kind"], detail: string): AttemptOutcome {
  return { kind, reply: ownReply(detail) };
}

/** What the server said, and that the message went to it without tracking. */
function noting(outcome: AttemptOutcome, untracked: string | undefined): AttemptOutcome {
  if (untracked === undefined || !(outcome.kind === "delivered" || outcome.kind === "captured"))
    return outcome;
  // In front: a long reply is cut off at its end.
  const detail = safeDetail(`not tracked, for ${untracked}; ${outcome.reply.detail}`);
  return { ...outcome, reply: { ...outcome.reply, detail } };
}
