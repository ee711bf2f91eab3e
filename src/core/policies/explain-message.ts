import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  AttemptedPolicySchema,
  ExplainPolicyResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import type { EventDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { PolicyVersion } from "../../store/policy-version-store.ts";
import { MAX_VERSIONS } from "../../store/setting-versions.ts";
import type { AccountStore } from "../../store/store.ts";
import { findMessage } from "../find-message.ts";
import { reasonFields } from "../text-parts.ts";
import { noSuchPolicy } from "./delete-policy.ts";
import type { PolicyContent } from "./read-policy.ts";

type Explanation = MessageInitShape<typeof ExplainPolicyResponseSchema>;

/** Explains one policy for one recipient. */
export type Explain = (
  account: AccountStore,
  explained: {
    readonly recipient: string;
    readonly policy: PolicyContent;
    readonly stored: boolean;
    readonly lookUp: boolean;
  },
) => Promise<Explanation>;

/**
 * Explains the present policy of a message, and the policy of its last attempt as it was at that time. A deleted policy
 * is explained while messages may use it.
 * @throws Fault message.unknown, message.unreadable, policy.not_found
 */
export async function explainMessage(
  account: AccountStore,
  messageId: string,
  { explain, lookUp }: { readonly explain: Explain; readonly lookUp: boolean },
): Promise<Explanation> {
  const message = await findMessage(account, messageId);
  const { policy: name, recipient } = message;
  const policy = await account.policies.findOfMessage(name);
  if (!policy) throw noSuchPolicy(name);
  const events = await account.events.listOf(message);
  const last = events.findLast(({ decidedBy }) => decidedBy !== undefined);
  const [present, attempted] = await Promise.all([
    explain(account, { recipient, policy, stored: true, lookUp }),
    last && explainAttempt(account, { policy, recipient, event: last, explain }),
  ]);
  return create(ExplainPolicyResponseSchema, {
    ...present,
    ...(attempted && { attempted: create(AttemptedPolicySchema, attempted) }),
  });
}

interface Attempt {
  readonly policy: PolicyDocument;
  readonly recipient: string;
  readonly event: EventDocument;
  readonly explain: Explain;
}

async function explainAttempt(
  account: AccountStore,
  { policy, recipient, event, explain }: Attempt,
): Promise<MessageInitShape<typeof AttemptedPolicySchema>> {
  const { policy: name = policy.name, revision = "" } = event.decidedBy ?? {};
  const version = await account.policyVersions.findRevision(policy, revision);
  return {
    attempt: event.attempt,
    at: timestampFromDate(event.at),
    policy: name,
    revision,
    version: version?.number ?? 0,
    current: version?.isCurrent ?? false,
    ...reasonFields(reasonOf(version)),
    // Routes of today say nothing about that attempt.
    ...(version && {
      explanation: await explain(account, { recipient, policy: version.shown, stored: true, lookUp: false }),
    }),
  };
}

function reasonOf(found: PolicyVersion | undefined): Phrase {
  if (!found) return phrase("attempt.version_gone", { max: MAX_VERSIONS });
  const { number: version, isCurrent } = found;
  return phrase(isCurrent ? "attempt.version_current" : "attempt.version_former", { version });
}
