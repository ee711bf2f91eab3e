import type { Email } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import type { Mailbox, MessageContent } from "../../message/content.ts";
import { composeMime } from "../../message/mime/compose-mime.ts";
import { deriveText } from "../../message/mime/derive-text.ts";
import { encodedSizeUpperBoundBytes } from "../../message/mime/encoded-size.ts";
import { renderTemplate } from "../../message/template/template.ts";
import type { TemplateData } from "../../message/template/template-variables.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { PolicyDocument, TrackingSettings } from "../../store/policy-document.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { VerifySender } from "../access/verify-sender.ts";
import type { PolicyBounds } from "../dependencies.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import {
  checkBody,
  checkHeaders,
  checkLabels,
  readAttachments,
  readFrom,
  readMailboxes,
  readSendAt,
  readSubject,
  readTracking,
  type SendLimits,
} from "./read-email.ts";

/** A submission that can be stored. */
export interface PreparedEmail {
  readonly content: MessageContent;
  readonly recipient: string;
  readonly notDelivered: readonly string[];
  readonly policy: PolicyDocument;
  readonly template: { readonly name: string; readonly version: number } | undefined;
  readonly sendAt: Date | undefined;
  /** Tracking that the submission sets; undefined: as in its policy. */
  readonly tracking: TrackingSettings | undefined;
  /** Upper bound of the composed message's size. */
  readonly sizeBytes: number;
}

export interface PrepareEmailOptions {
  readonly verifySender: VerifySender;
  readonly settings: AccountSettings;
  readonly limits: SendLimits;
  readonly policyBounds: Pick<PolicyBounds, "baseUrl">;
}

/** Owner of a message, with the permitted senders; empty: all of the account. */
export type EmailOwner = Pick<KeyDocument, "accountId" | "senders">;

export type PrepareEmail = (
  email: Email,
  templateData: TemplateData | undefined,
  key: EmailOwner,
  now: Date,
) => Promise<PreparedEmail>;

/** Text of the request, or of the template in its place. */
interface EmailText {
  readonly from?: Mailbox;
  readonly subject?: string;
  readonly html?: string;
  readonly text?: string;
}

/**
 * Checks a submission by every rule that does not depend on earlier ones, and creates its stored form:
 *
 * 1. reads the fields, the policy and the template, and renders the template
 * 2. finds missing fields; all errors so far are reported together
 * 3. checks that the sender is verified
 * 4. composes the content, and checks its size
 */
export function createPrepareEmail({
  settings,
  verifySender,
  limits,
  policyBounds,
}: PrepareEmailOptions): PrepareEmail {
  return async (email, templateData, key, now) => {
    const faults = createFieldFaults();
    const to = readMailboxes("to", email.to, limits.to, faults);
    if (email.to.length === 0) faults.add("/to", "field.required", say("least_one_recipient_needed"));
    const replyTo = readMailboxes("reply_to", email.replyTo, limits.to, faults);
    checkHeaders(email, limits, faults);
    const attachments = readAttachments(email, limits, faults);
    checkLabels(email, faults);
    const sendAt = readSendAt(email, now, limits, faults);
    const tracking = readTracking(email, policyBounds, faults);
    const own = readText(email, templateData, limits, faults);
    const policy = await findPolicy(settings, email, key, faults);
    const template = await fillTemplate(settings, email, templateData, { key, limits, faults });
    const { from, subject, html, text } = { ...template?.text, ...own };

    if (email.template === undefined) requireText(email, { subject, html, text }, faults);
    const [recipient, ...others] = eachOnce(to);
    if (faults.found.length > 0 || !recipient || !policy) throw validationFault(faults.found);
    if (!from) {
      const message = say("template_no_sender");
      throw validationFault([{ pointer: "/from", code: "field.required", message }]);
    }
    await verifySender(from.address, key);

    const plain = text || (html ? deriveText(html) : undefined);
    const content: MessageContent = {
      from,
      to: [recipient],
      replyTo,
      subject: subject ?? "",
      ...(html && { html }),
      ...(plain && { text: plain }),
      headers: email.headers.map(({ name, value }) => ({ name, value })),
      attachments,
    };
    return {
      content,
      recipient: recipient.address,
      notDelivered: others.map(({ address }) => address),
      policy,
      template: template && { name: template.name, version: template.version },
      sendAt,
      tracking,
      sizeBytes: checkSize(content, limits),
    };
  };
}

/** The first spelling of each address. */
function eachOnce(mailboxes: readonly Mailbox[]): Mailbox[] {
  const keys = mailboxes.map(({ address }) => addressKey(address));
  return mailboxes.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

function readText(
  email: Email,
  templateData: TemplateData | undefined,
  limits: SendLimits,
  faults: FieldFaults,
): EmailText {
  const from = email.from === undefined ? undefined : readFrom(email.from, faults);
  readSubject(email.subject, faults);
  for (const field of ["html", "text"] as const) {
    checkBody(field, email[field], limits, faults);
    if (email.template !== undefined && email[field] !== undefined) {
      faults.add(`/${field}`, "field.conflict", say("template_supplies_body_not_stand_beside", { field }));
    }
  }
  if (email.template === undefined && Object.keys(templateData ?? {}).length > 0) {
    faults.add("/template_data", "field.conflict", say("no_template_use_data"));
  }
  const { subject, html, text } = email;
  return withoutUndefined({ from, subject, html, text });
}

async function findPolicy(settings: AccountSettings, email: Email, key: EmailOwner, faults: FieldFaults) {
  const policy = await settings.policy(key.accountId, email.routingPolicy);
  if (policy) return policy;
  const message =
    email.routingPolicy === undefined
      ? say("no_default_policy_name_field")
      : say("no_policy", { name: email.routingPolicy });
  faults.add("/routing_policy", "policy.unknown", message);
  return undefined;
}

async function fillTemplate(
  settings: AccountSettings,
  email: Email,
  templateData: TemplateData = {},
  { key, limits, faults }: { key: EmailOwner; limits: SendLimits; faults: FieldFaults },
) {
  if (email.template === undefined) return undefined;
  const stored = await settings.template(key.accountId, email.template);
  if (!stored) {
    faults.add("/template", "template.unknown", say("no_template", { name: email.template }));
    return undefined;
  }
  const result = renderTemplate(stored.compiled, templateData, {
    maxOutputBytes: limits.bodyBytes,
  });
  if (!result.ok) {
    for (const { pointer, code, message } of result.faults) faults.add(pointer, code, message);
    return undefined;
  }
  const text: EmailText = result.rendered;
  for (const field of ["html", "text"] as const) checkBody(field, text[field], limits, faults);
  if (!text.html && !text.text && faults.found.length === 0) {
    faults.add("/template", "template.render_failed", say("data_template_empty_body"));
  }
  return { name: stored.name, version: stored.version, text };
}

/** A submission without a template must contain all of these fields. */
function requireText(
  email: Email,
  { subject, html, text }: { [Field in "subject" | "html" | "text"]: string | undefined },
  faults: FieldFaults,
): void {
  if (email.from === undefined) faults.add("/from", "field.required", say("sender_needed"));
  if (subject === undefined) faults.add("/subject", "field.required", say("subject_needed"));
  if (html || text) return;
  faults.add("/html", "field.required", say("least_one_html_text_template_needed"));
}

function checkSize(content: MessageContent, { messageBytes }: SendLimits): number {
  const bound = encodedSizeUpperBoundBytes(content);
  if (bound <= messageBytes) return bound;
  const size = composeMime({ content, messageId: "size@hermod.invalid", date: new Date(0) }).length;
  if (size <= messageBytes) return bound;
  throw fault("message.too_large", {
    public: say("message_octets_encoded_delivery_allowed", { actual: size, max: messageBytes }),
  });
}
