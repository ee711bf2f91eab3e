import { Button, TagsInput } from "@mantine/core";
import { withItem, withMoved, withoutItem } from "../../parts/edit-list.ts";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { t } from "../../texts/texts.ts";
import type { NotificationFieldsProps } from "./notification-fields.tsx";
import { ReceiverFields } from "./receiver-fields.tsx";

const AFTER_SECONDS = 900;

/** Further recipients of an incident without an acknowledgment. */
export function Escalation({ notify, faultAt, onChange }: NotificationFieldsProps) {
  const { escalation = [], escalation_rounds: rounds } = notify;
  const change = (steps: typeof escalation) => onChange({ escalation: steps });
  return (
    <>
      {escalation.map((step, index) => {
        const name = t.rules.step(index + 1);
        const at = `/notify/escalation/${index}`;
        return (
          <fieldset key={index} className="part" aria-label={name}>
            <div className="spread">
              <b>{name}</b>
              <ListButtons
                name={name}
                at={index}
                count={escalation.length}
                onMove={(by) => change(withMoved(escalation, index, by))}
                onRemove={() => change(withoutItem(escalation, index))}
              />
            </div>
            <div className="stack">
              <NumberField
                label={t.rules.afterSeconds}
                description={index === 0 ? t.rules.afterFirst : t.rules.afterPrevious}
                error={faultAt(`${at}/after_seconds`)}
                value={step.after_seconds}
                onChange={(after_seconds = 0) =>
                  change(withItem(escalation, index, { ...step, after_seconds }))
                }
              />
              <TagsInput
                label={t.rules.stepRecipients}
                error={faultAt(`${at}/recipients/*`)}
                value={step.recipients}
                onChange={(recipients) => change(withItem(escalation, index, { ...step, recipients }))}
              />
              <ReceiverFields
                receivers={step}
                at={at}
                labels={{ schedules: t.rules.stepSchedules, targets: t.rules.stepTargets }}
                faultAt={faultAt}
                onChange={(changes) => change(withItem(escalation, index, { ...step, ...changes }))}
              />
            </div>
          </fieldset>
        );
      })}
      {faultAt("/notify/escalation") && <p className="fault">{faultAt("/notify/escalation")}</p>}
      {escalation.length > 0 && (
        <NumberField
          label={t.rules.rounds}
          description={t.rules.roundsDetail}
          error={faultAt("/notify/escalation_rounds")}
          value={rounds}
          onChange={(escalation_rounds) => onChange({ escalation_rounds })}
        />
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          onClick={() => change([...escalation, { after_seconds: AFTER_SECONDS, recipients: [] }])}
        >
          {t.rules.addStep}
        </Button>
      </div>
    </>
  );
}
