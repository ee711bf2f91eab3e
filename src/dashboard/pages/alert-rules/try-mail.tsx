import { Button } from "@mantine/core";
import { useState } from "react";
import {
  type MailKind,
  previewRuleMail,
  type RuleContent,
  type RuleMails,
  sendRuleTest,
  type TestedAlert,
} from "../../api/rules.ts";
import { isSame } from "../../parts/drafts/draft-content.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { SentMessage } from "../start/sent-message.tsx";
import { MailView } from "./mail-view.tsx";

interface TryMailProps {
  readonly name: string;
  readonly draft: Draft<RuleContent>;
  /** @returns undefined if the text is no JSON: the field shows the fault */
  readonly readAlert: () => TestedAlert | undefined;
}

interface About {
  readonly content: RuleContent;
  readonly alert: TestedAlert;
}

interface Written extends About {
  readonly mails: RuleMails;
}

/** Shows the mail of the unsaved rule about the alert, and sends it to the user as a test. */
export function TryMail({ name, draft, readAlert }: TryMailProps) {
  const may = useMay();
  const [kind, setKind] = useState<MailKind>("first");
  // Refused settings are marked in the form too.
  const onError = (error: Error) => draft.setFaults(faultsOf(error, "/rule"));
  const write = useMutation({
    mutationFn: async (about: About): Promise<Written> => ({
      ...about,
      mails: await previewRuleMail(name, about.content, about.alert),
    }),
    onSuccess: () => setKind("first"),
    onError,
  });
  const send = useMutation({
    mutationFn: ({ content, alert, kind: sent }: About & { readonly kind: MailKind }) =>
      sendRuleTest(name, content, alert, sent),
    onError,
  });
  const { data: written } = write;

  function show(): void {
    const alert = readAlert();
    send.reset();
    if (alert) write.mutate({ content: draft.content, alert });
  }

  const maySend = may("alerts.write") && may("email.send");
  return (
    <section className="card" aria-label={t.trials.mailTitle}>
      <header>
        <h2>{t.trials.mailTitle}</h2>
      </header>
      <div className="body stack">
        <p className="muted tight">{t.trials.mailDetail}</p>
        <div className="row">
          <Button
            variant="default"
            loading={write.isPending}
            disabled={draft.fault !== undefined}
            onClick={show}
          >
            {t.trials.mailAction}
          </Button>
          {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
        </div>
        <FormFault error={write.error} />
        {written && (
          <>
            {!isSame(written.content, draft.content) && <p className="muted tight">{t.trials.outdated}</p>}
            <MailView mails={written.mails} kind={kind} onPick={setKind} />
            {maySend && (
              <div className="row">
                <Button
                  variant="default"
                  loading={send.isPending}
                  onClick={() => send.mutate({ content: written.content, alert: written.alert, kind })}
                >
                  {t.trials.sendAction}
                </Button>
                <span className="muted">{t.trials.sendDetail}</span>
              </div>
            )}
            <FormFault error={send.error} />
          </>
        )}
      </div>
      {send.data?.messages.map(({ message_id: id }) => (
        <SentMessage key={id} id={id} />
      ))}
    </section>
  );
}
