import type { ReactNode } from "react";
import type { PolicyContent } from "../../api/policies.ts";
import { t } from "../../texts/texts.ts";
import { DeliveryFields, HeaderFields, SourceFields } from "./delivery-fields.tsx";
import type { FaultAt } from "./policy-faults.ts";
import { RuleList } from "./rule-list.tsx";
import { TransportList } from "./transport-list.tsx";

interface PolicyFormProps {
  readonly content: PolicyContent;
  readonly faultAt: FaultAt;
  readonly isReadOnly: boolean;
  readonly onChange: (content: PolicyContent) => void;
}

/** The settings of a policy as fields. */
export function PolicyForm({ content, faultAt, isReadOnly, onChange }: PolicyFormProps) {
  const change = (changes: Partial<PolicyContent>) => onChange({ ...content, ...changes });
  const fields = { content, faultAt, onChange: change };
  return (
    <fieldset className="whole-form stack" aria-label={t.policies.views.form} disabled={isReadOnly}>
      <Part title={t.policies.transports} detail={t.policies.transportsDetail}>
        <TransportList
          transports={content.transports}
          at="/transports"
          faultAt={faultAt}
          onChange={(transports) => change({ transports })}
        />
      </Part>
      <Part title={t.policies.rules} detail={t.policies.rulesDetail}>
        <RuleList rules={content.rules ?? []} faultAt={faultAt} onChange={(rules) => change({ rules })} />
      </Part>
      <Part title={t.policies.delivery}>
        <DeliveryFields {...fields} />
      </Part>
      <Part title={t.policies.source}>
        <SourceFields {...fields} />
      </Part>
      <Part title={t.policies.headers}>
        <HeaderFields {...fields} />
      </Part>
    </fieldset>
  );
}

interface PartProps {
  readonly title: string;
  readonly detail?: string;
  readonly children: ReactNode;
}

function Part({ title, detail, children }: PartProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="body stack">
        {detail && <p className="muted tight">{detail}</p>}
        {children}
      </div>
    </section>
  );
}
