import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { EmailSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type {
  SendRuleTestRequest,
  SendRuleTestResponseSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { bucketOfNames, newIdInBucket } from "../../shared/ids.ts";
import { ALERT_TEST } from "../../shared/operations.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { emailSubmission } from "../send/email-submission.ts";
import type { Submission } from "../send/intake.ts";
import type { WrittenEmail } from "../send/mail-once.ts";
import { createPrepareEmail } from "../send/prepare-email.ts";
import { type RuleMail, readRuleMail } from "./read-rule-mail.ts";
import { type SampleKind, sampleKinds, sampleMail } from "./sample-mail.ts";

export type RuleTestNeeds = Pick<Dependencies, "store" | "log"> &
  Pick<
    AcceptNeeds,
    | "settings"
    | "policyBounds"
    | "verifySender"
    | "limits"
    | "rateLimits"
    | "intake"
    | "partitionOf"
    | "measured"
    | "retention"
    | "clock"
  >;

type Context = Pick<HandlerContext, "principal" | "audit" | "traceId" | "signal">;

/** Marks of the mail: in its subject, its header and its tags. */
const SUBJECT_MARK = "[test] ";
const HEADER = { name: "X-Hermod-Test", value: "alert-rule" };
const TAG = "alert-test";
/** Upper bound of the sentence in both parts of the encoded mail. */
const NOTE_BYTES = 1_000;
/** Header fields by which programs of recipients would take the mail for that of an incident. */
const OF_INCIDENTS = /^(?:x-hermod-|in-reply-to$|references$|thread-topic$)/i;

/**
 * Sends the mail of a rule for an alert, marked as a test, as any message of the account. It opens no incident. It counts
 * against the rate limit of the account, and against a limit of the sender in place of a key's.
 * @throws Fault account.unknown, alert_rule.unknown, alert.unknown, auth.permission_missing, rate.limited, sender.unverified,
 *   request.validation_failed
 */
export function createSendRuleTest(needs: RuleTestNeeds) {
  const { store, rateLimits, intake, partitionOf, clock, log, retention } = needs;
  const prepareEmail = createPrepareEmail(needs);

  const send = needs.measured(async (request: SendRuleTestRequest, context: Context) => {
    const { principal, audit, traceId, signal } = context;
    if (principal && !principal.permissions.has("email.send"))
      throw fault("auth.permission_missing", { public: say("email_send_missing") });
    const account = await resolveAccount(store, request);
    const { id: accountId } = account;
    const kind = readKind(request.kind);
    const now = clock.now();
    const mail = await readRuleMail(account, request, { now, log });
    const recipients = recipientsOf(request.to, mail, principal?.name);
    await rateLimits.consume(`${accountId}.${principal?.userId ?? "operator"}`, accountId, recipients.length);

    async function submissionTo(recipient: string): Promise<Submission> {
      const written = sampleMail(kind, { accountId, ...mail, recipient, link: undefined, now });
      const { email, templateData, headers } = marked(written);
      const prepared = await prepareEmail(email, templateData, { accountId, senders: [] }, now);
      const note = `Test of the alert rule ${mail.ruleName}. No incident was opened.`;
      const { html, text = "" } = prepared.content;
      const content = {
        ...prepared.content,
        text: `${note}\n\n${text}`,
        ...(html !== undefined && { html: htmlWithNote(html, note) }),
        headers: [...prepared.content.headers, ...headers],
      };
      return emailSubmission({
        prepared: { ...prepared, content, sizeBytes: prepared.sizeBytes + NOTE_BYTES },
        email,
        id: newIdInBucket("msg", now, bucketOfNames(traceId)),
        key: { _id: "", accountId },
        traceId,
        operation: ALERT_TEST,
        // Owners are not notified if a test fails, as they are of alert mail.
        source: principal ? "dashboard" : "grpc",
        idempotent: undefined,
        now,
        partitionOf,
        contentRetentionMs: retention.contentMs,
      });
    }

    // All are written before one is stored: an error sends none.
    const submissions: Submission[] = [];
    for (const recipient of recipients) submissions.push(await submissionTo(recipient));
    signal.throwIfAborted();
    for (const submission of submissions) {
      await intake.store(submission);
      const target = { kind: "message", id: submission.message._id, name: mail.ruleName };
      await account.audit.add(audit, { target, outcome: "changed" });
    }
    const messages = submissions.map(({ message }) => ({
      recipient: message.recipient,
      messageId: message._id,
    }));
    return { answer: { messages }, replayed: false };
  });

  return async (
    request: SendRuleTestRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof SendRuleTestResponseSchema>> => (await send(request, context)).answer;
}

function readKind(given: string): SampleKind {
  const kind = sampleKinds.find((known) => known === (given || "first"));
  if (kind) return kind;
  const message = say("one_of", { allowed: sampleKinds });
  throw validationFault([{ pointer: "/kind", code: "field.invalid", message }]);
}

const TARGETS = ["self", "recipients"] as const;

/** @param own address of the caller's user; undefined: the caller has none */
function recipientsOf(to: string, { recipients }: RuleMail, own: string | undefined): readonly string[] {
  const invalid = (message: FaultText) =>
    validationFault([{ pointer: "/to", code: "field.invalid", message }]);
  if (to === "recipients") return recipients;
  if (to !== "" && to !== "self") throw invalid(say("one_of", { allowed: TARGETS }));
  if (own === undefined) throw invalid(say("test_to_recipients"));
  return [own];
}

const BODY = /<body\b[^>]*>/i;

/** @param note text without characters of HTML */
function htmlWithNote(html: string, note: string): string {
  const paragraph = `<p><strong>${note}</strong></p>`;
  return BODY.test(html) ? html.replace(BODY, (body) => `${body}${paragraph}`) : `${paragraph}${html}`;
}

function marked({ email, templateData, headers }: WrittenEmail): WrittenEmail {
  const subject = `${SUBJECT_MARK}${(email.subject ?? "").replace(/^Re: /, "")}`;
  return {
    email: create(EmailSchema, { ...email, subject, tags: [TAG] }),
    templateData,
    headers: [...headers.filter(({ name }) => !OF_INCIDENTS.test(name)), HEADER],
  };
}
