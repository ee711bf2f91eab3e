import type { Incident } from "../../../alerts/incident.ts";
import { type NotifySettings, sendsMail } from "../../../alerts/rule.ts";
import { Fault } from "../../../shared/fault.ts";
import { withoutUndefined } from "../../../shared/without-undefined.ts";
import type { Store } from "../../../store/store.ts";
import type { MailOnce } from "../../send/mail-once.ts";
import { digestEmail, noticeEmail } from "../notice-email.ts";
import type { RuleSets } from "../rule-sets.ts";
import type { LinkOf, Notifier } from "./notifier.ts";

export interface MailNotifierOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly ruleSets: RuleSets;
  readonly mailAlert: MailOnce;
  readonly linkOf: LinkOf;
}

/** Codes of mail that refers to a removed resource. */
const GONE: ReadonlySet<string> = new Set(["policy.unknown", "template.unknown", "sender.unverified"]);

/** Sends notices as mail, with the settings of the rule version of the incident. */
export function createMailNotifier({ store, ruleSets, mailAlert, linkOf }: MailNotifierOptions): Notifier {
  /**
   * An incident keeps the version of the rule with which it was opened. If a policy, sender or template of that
   * version was removed, the mail uses those of the current version: correcting the rule releases waiting mail.
   */
  async function byPresentRule(
    { accountId, ruleId }: Pick<Incident, "accountId" | "ruleId">,
    notify: NotifySettings,
    work: (notify: NotifySettings) => Promise<void>,
  ): Promise<void> {
    try {
      await work(notify);
    } catch (error) {
      if (!GONE.has(Fault.from(error).code)) throw error;
      const { rules } = await ruleSets.at(accountId, await store.forAccount(accountId).alertRules.revision());
      const present = rules.find(({ id }) => id === ruleId)?.notify;
      if (!present || !sendsMail(present)) throw error;
      const { from: _, policy: __, template: ___, ...kept } = notify;
      const { from, policy, template } = present;
      await work({ ...kept, ...withoutUndefined({ from, policy, template }) });
    }
  }

  return {
    async notice(incident, notice) {
      const { accountId, _id: incidentId } = incident;
      const notify = ruleSets.notifyOf(incident);
      for (const mail of notice.mails) {
        const link = linkOf({ accountId, incidentId, at: notice.at }, mail.recipient);
        const { messageId } = mail;
        await byPresentRule(incident, notify, (by) =>
          mailAlert(accountId, {
            messageId,
            at: notice.at,
            ...noticeEmail({ incident, notice, mail, notify: by, link }),
          }),
        );
      }
      return [];
    },

    async digest(limit, digest, ruleName) {
      const { accountId, recipient } = limit;
      const { at, messageId } = digest;
      const link = (incidentId: string) => linkOf({ accountId, incidentId, at }, recipient);
      await byPresentRule(limit, ruleSets.notifyOf(limit), async (notify) => {
        await mailAlert(accountId, {
          messageId,
          at,
          ...digestEmail(limit, digest, { notify, ruleName, link }),
        });
      });
      return [];
    },
  };
}
