import type { PolicyContent } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { DeliveryFields, HeaderFields, SourceFields } from "./delivery-fields.tsx";
import { RuleList } from "./rule-list.tsx";
import { TransportList } from "./transport-list.tsx";

interface PolicyFormProps {
  readonly content: PolicyContent;
  readonly faultAt: FaultAt;
  readonly onChange: (content: PolicyContent) => void;
}

/** The settings of a policy as fields. */
export function PolicyForm({ content, faultAt, onChange }: PolicyFormProps) {
  const change = (changes: Partial<PolicyContent>) => onChange({ ...content, ...changes });
  const fields = { content, faultAt, onChange: change };
  return (
    <>
      <FormPart title={t.policies.transports} detail={t.policies.transportsDetail}>
        <TransportList
          transports={content.transports}
          at="/transports"
          faultAt={faultAt}
          onChange={(transports) => change({ transports })}
        />
      </FormPart>
      <FormPart title={t.policies.rules} detail={t.policies.rulesDetail}>
        <RuleList rules={content.rules ?? []} faultAt={faultAt} onChange={(rules) => change({ rules })} />
      </FormPart>
      <FormPart title={t.policies.delivery}>
        <DeliveryFields {...fields} />
      </FormPart>
      <FormPart title={t.policies.source}>
        <SourceFields {...fields} />
      </FormPart>
      <FormPart title={t.policies.headers}>
        <HeaderFields {...fields} />
      </FormPart>
    </>
  );
}
