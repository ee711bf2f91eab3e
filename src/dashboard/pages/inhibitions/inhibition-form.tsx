import { TagsInput } from "@mantine/core";
import type { InhibitionContent } from "../../api/silences.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { ConditionLists } from "../alert-rules/condition-list.tsx";
import { alertFields } from "../alert-rules/condition-values.ts";

interface InhibitionFormProps {
  readonly content: InhibitionContent;
  readonly faultAt: FaultAt;
  readonly onChange: (content: InhibitionContent) => void;
}

const sides = ["source", "target"] as const;
const detailOf = { source: t.inhibitions.sourceDetail, target: t.inhibitions.targetDetail };

/** The settings of an inhibition as fields. */
export function InhibitionForm({ content, faultAt, onChange }: InhibitionFormProps) {
  return (
    <>
      {sides.map((side) => {
        const { match, any } = content[side];
        const change = (changes: Partial<InhibitionContent["source"]>) =>
          onChange({ ...content, [side]: { match, any, ...changes } });
        return (
          <FormPart key={side} title={t.inhibitions[side]} detail={detailOf[side]}>
            <ConditionLists
              conditions={content[side]}
              labels={{
                match: t.inhibitions.all(t.inhibitions[side]),
                any: t.inhibitions.one(t.inhibitions[side]),
              }}
              at={`/${side}`}
              faultAt={faultAt}
              onChange={change}
            />
            {faultAt(`/${side}`) && <p className="fault">{faultAt(`/${side}`)}</p>}
          </FormPart>
        );
      })}
      <FormPart title={t.inhibitions.equal}>
        <TagsInput
          aria-label={t.inhibitions.equal}
          description={t.inhibitions.equalDetail}
          data={alertFields.filter((field) => field !== "context.")}
          error={faultAt("/equal/*")}
          value={content.equal}
          onChange={(equal) => onChange({ ...content, equal })}
        />
      </FormPart>
    </>
  );
}
