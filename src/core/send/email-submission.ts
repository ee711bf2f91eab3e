import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Submission } from "./intake.ts";
import { messageDocument, type NewMessage } from "./message-document.ts";
import type { PreparedEmail } from "./prepare-email.ts";

export interface EmailSubmission
  extends Pick<
    NewMessage,
    "id" | "key" | "traceId" | "operation" | "source" | "idempotent" | "now" | "partitionOf" | "incidentId"
  > {
  readonly prepared: PreparedEmail;
  readonly email: Pick<Email, "tags" | "metadata">;
  readonly contentRetentionMs: number;
}

/** Stored form of a checked e-mail: the message and its body. */
export function emailSubmission(accepted: EmailSubmission): Submission {
  const { prepared, email, contentRetentionMs, ...named } = accepted;
  const { id, key, now } = named;
  const { tracking, ...checked } = prepared;
  const message = messageDocument({
    ...checked,
    ...named,
    ...withoutUndefined({ tracking }),
    from: prepared.content.from.address,
    subject: prepared.content.subject,
    contentId: id.replace("msg", "cnt"),
    headerMessageId: `<${id}@${domainOf(prepared.content.from.address)}>`,
    tags: email.tags,
    metadata: email.metadata,
  });
  const content = {
    id: message.contentId,
    accountId: key.accountId,
    body: { kind: "composed" as const, content: prepared.content },
    sizeBytes: prepared.sizeBytes,
    createdAt: now,
    expireAt: new Date((prepared.sendAt ?? now).getTime() + contentRetentionMs),
  };
  return { message, content };
}
