import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PreviewRuleMailRequest,
  PreviewRuleMailResponseSchema,
  RuleMailSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { formatMailbox } from "../../message/address/addresses.ts";
import { deriveText } from "../../message/mime/derive-text.ts";
import { MAX_FIELD_FAULTS, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { WrittenEmail } from "../send/mail-once.ts";
import { createPreviewSlots } from "../templates/preview-slots.ts";
import { fillIn } from "../templates/template-text.ts";
import { readRuleMail } from "./read-rule-mail.ts";
import { type SampleKind, sampleMail } from "./sample-mail.ts";

type PreviewNeeds = Pick<Dependencies, "store" | "settings" | "limits" | "policyBounds" | "clock" | "log">;

/**
 * Writes the mail of a rule for an alert. Nothing is stored or sent.
 * @throws Fault account.unknown, alert_rule.unknown, alert.unknown, request.validation_failed, service.busy
 */
export function createPreviewRuleMail({ store, settings, limits, policyBounds, clock, log }: PreviewNeeds) {
  const inSlot = createPreviewSlots();

  /** The written mail as its recipient would see it, or the errors of its template. */
  async function shown(
    accountId: string,
    { email, templateData = {} }: WrittenEmail,
  ): Promise<MessageInitShape<typeof RuleMailSchema>> {
    const { from = "", subject = "", html, text } = email;
    if (email.template === undefined) return { from, subject, ...withoutUndefined({ html, text }) };
    const stored = await settings.template(accountId, email.template);
    if (!stored) {
      const message = say("no_template", { name: email.template });
      throw validationFault([{ pointer: "/rule/notify/template", code: "template.unknown", message }]);
    }
    const compiled = { ok: true, template: stored.compiled } as const;
    const filled = await inSlot(accountId, () => fillIn(compiled, templateData, limits.bodyBytes));
    if (!filled.ok) {
      const faults = filled.faults.slice(0, MAX_FIELD_FAULTS);
      return {
        faults: faults.map(({ pointer, code, message }) => ({ pointer, code, message: message.text })),
      };
    }
    const { rendered } = filled;
    const plain = rendered.text || (rendered.html ? deriveText(rendered.html) : undefined);
    const sender = from || (rendered.from ? formatMailbox(rendered.from) : "");
    return { from: sender, subject, ...withoutUndefined({ html: rendered.html, text: plain }) };
  }

  return async (
    request: PreviewRuleMailRequest,
  ): Promise<MessageInitShape<typeof PreviewRuleMailResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const { recipients, ...mail } = await readRuleMail(account, request, { now, log });
    const { resolvedMail } = mail.notify;
    const [recipient = ""] = recipients;
    const { baseUrl } = policyBounds;
    const link = baseUrl === undefined ? undefined : `${baseUrl}/incident/example`;
    const sample = { accountId: account.id, ...mail, recipient, link, now };
    const written = (kind: SampleKind) => shown(account.id, sampleMail(kind, sample));
    return {
      recipients: [...recipients],
      first: await written("first"),
      ...(resolvedMail && { resolved: await written("resolved") }),
      digest: await written("digest"),
    };
  };
}
