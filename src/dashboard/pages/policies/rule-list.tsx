import { Button, TagsInput } from "@mantine/core";
import type { NewRule } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withMoved, withoutItem } from "../../parts/edit-list.ts";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { t } from "../../texts/texts.ts";
import { firstTransport } from "./transport-fields.tsx";
import { TransportList } from "./transport-list.tsx";

interface RuleListProps {
  readonly rules: readonly NewRule[];
  readonly faultAt: FaultAt;
  readonly onChange: (rules: NewRule[]) => void;
}

/** Rules by domain. The first one that matches applies. */
export function RuleList({ rules, faultAt, onChange }: RuleListProps) {
  return (
    <>
      {rules.map((rule, index) => {
        const name = t.policies.rule(index + 1);
        const at = `/rules/${index}`;
        return (
          <fieldset key={index} className="part" aria-label={name}>
            <div className="spread">
              <b>{name}</b>
              <ListButtons
                name={name}
                at={index}
                count={rules.length}
                onMove={(by) => onChange(withMoved(rules, index, by))}
                onRemove={() => onChange(withoutItem(rules, index))}
              />
            </div>
            <div className="stack">
              <TagsInput
                label={t.policies.domains}
                description={t.policies.domainsDetail}
                error={faultAt(`${at}/domains/*`) ?? faultAt(at)}
                value={rule.domains}
                onChange={(domains) => onChange(withItem(rules, index, { ...rule, domains }))}
              />
              <TransportList
                transports={rule.transports}
                at={`${at}/transports`}
                of={name}
                faultAt={faultAt}
                onChange={(transports) => onChange(withItem(rules, index, { ...rule, transports }))}
              />
            </div>
          </fieldset>
        );
      })}
      {faultAt("/rules") && <p className="fault">{faultAt("/rules")}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...rules, { domains: [], transports: [firstTransport] }])}
        >
          {t.policies.addRule}
        </Button>
      </div>
    </>
  );
}
