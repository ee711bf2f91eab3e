import { useState } from "react";
import type { RuleContent, TestedAlert } from "../../api/rules.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { TryAlert } from "./try-alert.tsx";
import { TryMail } from "./try-mail.tsx";
import { TryPast } from "./try-past.tsx";

interface TryItProps {
  readonly name: string;
  readonly draft: Draft<RuleContent>;
  /** Whether the account has the rule: then its other rules answer too. */
  readonly isStored: boolean;
  /** The alert that the field has at first; undefined: a made-up one. */
  readonly example?: TestedAlert | undefined;
}

const madeUp: TestedAlert = {
  event_type: "disk.full",
  severity: "critical",
  source: "node-exporter",
  message: "/var is 97 % full",
  entity_type: "host",
  entity_id: "web-1",
  context: { mount: "/var", used_percent: 97 },
};

/** Tries the unsaved rule with past alerts and with one alert, and shows its mail about this alert. */
export function TryIt({ name, draft, isStored, example = madeUp }: TryItProps) {
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const [fault, setFault] = useState<string>();

  function readAlert(): TestedAlert | undefined {
    try {
      const alert = JSON.parse(text) as TestedAlert;
      setFault(undefined);
      return alert;
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  return (
    <>
      <TryPast name={name} draft={draft} />
      <TryAlert
        name={name}
        draft={draft}
        isStored={isStored}
        text={text}
        fault={fault}
        onType={setText}
        readAlert={readAlert}
      />
      <TryMail name={name} draft={draft} readAlert={readAlert} />
    </>
  );
}
