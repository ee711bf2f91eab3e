import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { type MailKind, mailKinds, type RuleMails } from "../../api/rules.ts";
import { MailDocument } from "../../parts/mail-document.tsx";
import { MailText } from "../../parts/mail-parts.tsx";
import { t } from "../../texts/texts.ts";

const forms = ["light", "dark", "text"] as const;
type Form = (typeof forms)[number];

interface MailViewProps {
  readonly mails: RuleMails;
  readonly kind: MailKind;
  readonly onPick: (kind: MailKind) => void;
}

/** The mails of a rule, one at a time, as its recipients would see them. */
export function MailView({ mails, kind, onPick }: MailViewProps) {
  const [chosen, setChosen] = useState<Form>("light");
  const mail = mails[kind];
  const form = mail?.document === undefined ? "text" : chosen;
  return (
    <>
      <p className="tight">{t.trials.mailTo(mails.recipients.join(", "))}</p>
      <div className="row">
        <SegmentedControl
          aria-label={t.trials.kind}
          data={mailKinds.map((value) => ({ value, label: t.trials.kinds[value] }))}
          value={kind}
          onChange={(value) => onPick(value as MailKind)}
        />
        {mail?.document !== undefined && (
          <SegmentedControl
            aria-label={t.templates.form}
            data={forms.map((value) => ({ value, label: t.templates.forms[value] ?? value }))}
            value={form}
            onChange={(value) => setChosen(value as Form)}
          />
        )}
      </div>
      {mail ? <OneMail mail={mail} form={form} /> : <p className="muted tight">{t.trials.noResolvedMail}</p>}
    </>
  );
}

interface OneMailProps {
  readonly mail: RuleMails["first"];
  readonly form: Form;
}

function OneMail({ mail: { from, subject, document, text, faults }, form }: OneMailProps) {
  if (faults.length > 0)
    return (
      <>
        <p className="tight">{t.trials.templateFaults}</p>
        <ul className="code-faults">
          {faults.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <b>{pointer}</b> {message}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <>
      <div>
        <b className="wrapped">{subject}</b>
        <p className="muted tight">{from}</p>
      </div>
      {form === "text" ? (
        <MailText text={text ?? null} />
      ) : (
        <MailDocument key={form} title={t.trials.mailFrame} html={document ?? ""} scheme={form} />
      )}
    </>
  );
}
