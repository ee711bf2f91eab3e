import { TextInput } from "@mantine/core";
import type { SilenceContent } from "../../api/silences.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { ConditionLists } from "../alert-rules/condition-list.tsx";
import { TimesFields } from "./times-fields.tsx";

interface SilenceFormProps {
  readonly content: SilenceContent;
  readonly faultAt: FaultAt;
  readonly onChange: (content: SilenceContent) => void;
}

/** The settings of a silence as fields. */
export function SilenceForm({ content, faultAt, onChange }: SilenceFormProps) {
  const { comment } = content;
  const change = (changes: Partial<SilenceContent>) => onChange({ ...content, ...changes });
  return (
    <>
      <FormPart title={t.silences.conditions} detail={t.silences.conditionsDetail}>
        <ConditionLists conditions={content} faultAt={faultAt} onChange={change} />
      </FormPart>
      <FormPart title={t.silences.times}>
        <TimesFields content={content} faultAt={faultAt} onChange={change} />
      </FormPart>
      <FormPart title={t.silences.comment}>
        <TextInput
          label={t.silences.reason}
          description={t.silences.reasonDetail}
          maxLength={500}
          required
          autoComplete="off"
          error={faultAt("/comment")}
          value={comment}
          onChange={({ currentTarget: { value } }) => change({ comment: value })}
        />
      </FormPart>
    </>
  );
}
