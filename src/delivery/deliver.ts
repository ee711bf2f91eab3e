import { domainOf } from "../message/address/addresses.ts";
import type { MessageBody } from "../message/content.ts";
import { following, moreTelling } from "../message/replies/more-telling.ts";
import { detailOf, phraseOf, type TransportOutcome } from "../message/replies/outcome.ts";
import { type Decision, decide } from "../routing/transports-for.ts";
import type { Logger } from "../shared/logger.ts";
import { settingsAccountOf } from "../shared/operations.ts";
import { failurePhrase, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import type { OpenConnections } from "../smtp-client/open-connections.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import { type PolicyDocument, revisionOf } from "../store/policy-document.ts";
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
  /** Called before every attempt. */
  readonly checkSuppression: CheckSuppression;
  /** The present policy, at most a few seconds old. */
  readonly findPolicy: (accountId: string, name: string) => Promise<PolicyDocument | undefined>;
  readonly loadBody: LoadBody;
  /** The transport of these settings, shared by all messages that use it. */
  readonly transportFor: TransportFor;
  readonly log?: Logger;
}

/** Resources of an attempt. */
export interface AttemptMeans {
  /** The body if it is loaded; otherwise it is read from the store. */
  readonly body?: MessageBody | undefined;
  /** True if this worker may still send the message: checked before each transport and each step to the final dot. */
  readonly mayFinish?: () => boolean;
  /** Connections to its destination, which count the ones that it uses. */
  readonly connections?: OpenConnections;
}

/** The attempt was abandoned before any server could have the message: nothing is recorded. */
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
 * One attempt, in these steps, each of which may end with the result:
 *
 * 1. check: the present suppression list
 * 2. policy: the present version
 * 3. body: from memory, or from the store
 * 4. mail: the octets to send and their envelope (`prepare-mail.ts`), signed per transport
 * 5. transports: those of the policy, in order, until a server gives a verdict on the message
 * 6. result: the data to record (`attempt-result.ts`)
 */
export function createDeliver(options: DeliverOptions): Deliver {
  const { checkSuppression, findPolicy, loadBody, transportFor, log, clock } = options;

  async function attempt(message: MessageDocument, means: AttemptMeans): Promise<AttemptResult> {
    const suppression = await checkSuppression(message);
    if (suppression) {
      const { to, reason, entry } = suppression;
      return resultOf(message, { kind: to, reply: ownReply(reason), suppression: entry });
    }
    const policy = await findPolicy(settingsAccountOf(message), message.policy);
    if (!policy)
      return resultOf(message, own("failed", phrase("attempt.policy_gone", { name: message.policy })));
    const body = means.body ?? (await loadBody(message));
    if (!body) return resultOf(message, own("failed", phrase("attempt.body_gone")));
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
    const positions = positionsOf(resumeAt);
    const more = () => ({
      durationMs: Math.round(servedMs),
      ...(positions.some((position) => position > 0) && { resumeAt: positions }),
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
        startAt: positions[index] ?? 0,
      });
      positions[index] = ended.resumeAt ?? 0;
      servedMs += clock.monotonicMs() - startedMs;
      if (kind === "abandoned") throw new AbandonedError(reply.detail);
      if (kind !== "unreachable") {
        return { kind, reply: following(outcome, { kind, reply }).reply, ...more() };
      }
      outcome = moreTelling(outcome, { kind, reply });
    }
    const reply = outcome?.reply ?? ownReply(phrase("attempt.no_transport"));
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
      if (error instanceof UnreadableBodyError) return resultOf(message, own("failed", failurePhrase(error)));
      // Counted as an attempt; otherwise it would be repeated at once, endlessly.
      log?.error({ err: error, message: message._id, traceId: message.traceId }, "an attempt broke off");
      return resultOf(message, own("unreachable", phrase("attempt.broke_off", { detail: String(error) })));
    }
  };
}

/** For the timeline, because the policy may change later. */
function choiceOf(policy: PolicyDocument, { rule }: Decision): NonNullable<AttemptOutcome["decidedBy"]> {
  return {
    policy: policy.name,
    revision: revisionOf(policy),
    rules: policy.rules?.length ?? 0,
    ...(rule && { rule }),
  };
}

/** An invalid position in the stored message counts as the beginning. */
function positionsOf(resumeAt: unknown): number[] {
  if (!Array.isArray(resumeAt)) return [];
  return resumeAt.map((position) => (Number.isSafeInteger(position) && position > 0 ? position : 0));
}

/** A result without a server. */
function own(kind: AttemptOutcome["kind"], wording: Phrase): AttemptOutcome {
  return { kind, reply: ownReply(wording) };
}

/** The reply of the server, with the note that the message was sent without tracking. */
function noting(outcome: AttemptOutcome, untracked: Phrase | undefined): AttemptOutcome {
  if (untracked === undefined || !(outcome.kind === "delivered" || outcome.kind === "captured"))
    return outcome;
  // At the beginning, because a long reply is cut at its end.
  const wording = phrases(
    untracked,
    outcome.kind === "captured" ? phrase("sandbox.captured") : phraseOf(outcome.reply),
  );
  return { ...outcome, reply: { ...outcome.reply, ...detailOf(wording) } };
}
