import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { EmailSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type {
  SendTestRequest,
  SendTestResponseSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { formatMailbox, parseMailbox } from "../../message/address/addresses.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { bucketOfNames, newIdInBucket } from "../../shared/ids.ts";
import { TEMPLATE_TEST } from "../../shared/operations.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AcceptNeeds } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { emailSubmission } from "../send/email-submission.ts";
import { createPrepareEmail } from "../send/prepare-email.ts";
import { toFieldFaults } from "./read-definition.ts";
import { createFillTemplate, type FillOptions } from "./template-text.ts";

/** Tag of messages that test a template. */
const TAG = "template-test";

export type SendTestOptions = FillOptions &
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
  > & {
    readonly clock: Clock;
    readonly contentRetentionMs: number;
  };

type Context = Pick<HandlerContext, "principal" | "audit" | "traceId" | "signal">;

/**
 * Renders a text and sends it to one address, as any message of the account, by the rules of keys. It counts against
 * the rate limit of the account, and against a limit of the sender in place of a key's.
 */
export function createSendTest(options: SendTestOptions) {
  const { store, rateLimits, intake, partitionOf, clock, contentRetentionMs } = options;
  const fill = createFillTemplate(options);
  const prepareEmail = createPrepareEmail(options);

  const send = options.measured(async (request: SendTestRequest, context: Context) => {
    const { principal, audit, traceId, signal } = context;
    if (principal && !principal.permissions.has("email.send")) {
      throw fault("auth.permission_missing", {
        public: say("email_send_missing"),
      });
    }
    const account = await resolveAccount(store, request);
    const { id: accountId } = account;
    const to = parseMailbox(request.to);
    if (!to.ok) throw validationFault([{ pointer: "/to", code: to.code, message: to.message }]);
    await rateLimits.consume(`${accountId}.${principal?.userId ?? "operator"}`, accountId);
    const filled = await fill({ ...request, accountId });
    if (!filled.ok) throw validationFault(toFieldFaults(filled.faults));
    const { subject, html, text, from: sender } = filled.rendered;
    const { routingPolicy, from = sender && formatMailbox(sender) } = request;
    const email = create(EmailSchema, {
      to: [request.to],
      tags: [TAG],
      subject,
      ...withoutUndefined({ from, html, text, routingPolicy }),
    });
    const now = clock.now();
    const prepared = await prepareEmail(email, undefined, { accountId, senders: [] }, now);
    signal.throwIfAborted();
    const { name } = filled.text.definition;
    const { version } = filled.text;
    const submission = emailSubmission({
      prepared: { ...prepared, template: version === undefined ? undefined : { name, version } },
      email,
      id: newIdInBucket("msg", now, bucketOfNames(traceId)),
      key: { _id: "", accountId },
      traceId,
      operation: TEMPLATE_TEST,
      source: "http",
      idempotent: undefined,
      now,
      partitionOf,
      contentRetentionMs,
    });
    await intake.store({ ...submission, signal });
    const { _id: messageId } = submission.message;
    // The message contains no actor: the audit log has the sender.
    await account.audit.add(audit, { target: { kind: "message", id: messageId, name }, outcome: "changed" });
    return { answer: { messageId, traceId }, replayed: false };
  });

  return async (
    request: SendTestRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof SendTestResponseSchema>> => (await send(request, context)).answer;
}
