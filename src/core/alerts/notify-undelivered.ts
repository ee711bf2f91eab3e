// Failed alert mail is noted in the transaction that counts events, where each failure passes once. A search for failed
// messages would need an index for all mail.

import { addressKey } from "../../message/address/address-key.ts";
import { minuteText } from "../../shared/minute-text.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { UndeliveredAlertsDocument } from "../../store/undelivered-alert-store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Letter } from "../system-mail/letter.ts";
import { createNotifyOwners } from "../system-mail/notify-owners.ts";

type Needs = Pick<Dependencies, "store" | "systemMail" | "clock" | "log">;

/** Time in which a worker must send the notice, before another one does. */
const CLAIM_MS = 60_000;

/**
 * Notifies the owners of accounts, at most once a day, that alert mail is not delivered or cannot be created. This is
 * Hermod's own mail: its failures cause no further notices. Owners are omitted if mail to them has just failed.
 */
export function createNotifyUndelivered({ store, systemMail, clock, log }: Needs) {
  const notifyOwners = createNotifyOwners({ store, systemMail });
  const { undeliveredAlerts, messages } = store.acrossAccounts;

  return async (): Promise<void> => {
    for (;;) {
      const now = clock.now();
      const found = await undeliveredAlerts.claim(now, new Date(now.getTime() + CLAIM_MS));
      if (!found) return;
      const { accountId, count } = found;
      const stored = await messages.findByIds(found.messageIds);
      // Latest first.
      const failed = found.messageIds.flatMap((id) =>
        stored.filter((one) => one._id === id && one.accountId === accountId),
      );
      const without = new Set(failed.map(({ recipient }) => addressKey(recipient)));
      await notifyOwners(accountId, letterAbout(found, failed), without);
      log.warn({ accountId, count }, "alert mail does not reach its recipients");
      await undeliveredAlerts.settle(found, now);
    }
  };
}

function letterAbout(
  { count, since, unmade = [] }: UndeliveredAlertsDocument,
  failed: readonly Pick<MessageDocument, "recipient" | "state">[],
): Letter {
  const byRecipient = new Map(failed.map(({ recipient, state }) => [recipient, state]));
  const mails = count === 1 ? "1 mail" : `${count} mails`;
  const ofMail = unmade.filter(({ target }) => target === undefined);
  const ofTargets = unmade.filter(({ target }) => target !== undefined);
  const texts = (notices: typeof unmade) => [
    ...new Set(
      notices.map(({ ruleName, target, detail }) => {
        const about = target === undefined ? "" : `, alert target "${target}"`;
        return `Alert rule "${ruleName}"${about}: ${detail}`;
      }),
    ),
  ];
  return {
    subject:
      count === 0 && ofMail.length === 0
        ? "Alert notices do not reach their targets"
        : "Alert mail does not reach its recipients",
    paragraphs: [
      ...(count > 0
        ? [`${mails} about alerts of your account could not be delivered since ${minuteText(since)}.`]
        : []),
      ...[...byRecipient].map(([recipient, state]) => `${recipient}: ${state}`),
      ...(ofMail.length > 0
        ? [
            `Hermod cannot create mail about alerts of your account since ${minuteText(since)}, so no mail is sent.`,
          ]
        : []),
      ...texts(ofMail),
      ...(ofTargets.length > 0
        ? [`Alert targets of your account have not accepted notices since ${minuteText(since)}.`]
        : []),
      ...texts(ofTargets),
    ],
    closing: [
      ...(count > 0
        ? [
            "An address on the suppression list receives no mail until you remove it from that list. Check the messages, and the recipients of your alert rules.",
          ]
        : []),
      ...(ofTargets.length > 0
        ? ["Hermod does not send these notices again. Correct the alert target, and send it a test message."]
        : []),
      ...(ofMail.length > 0
        ? [
            "Correct the rule, or restore its policy, sender or template. Hermod then sends the mail within an hour.",
          ]
        : []),
      "Hermod sends this mail at most once a day.",
    ],
  };
}
