import { Button, TagsInput, TextInput } from "@mantine/core";
import type { Person, ScheduleContent } from "../../api/oncalls.ts";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { withItem, withMoved, withoutItem } from "../../parts/edit-list.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { t } from "../../texts/texts.ts";
import { newLayer } from "./content.ts";
import { LayerFields } from "./layer-fields.tsx";
import { createPeople } from "./people.ts";
import { Preview } from "./preview.tsx";
import { usePersons } from "./use-persons.ts";

interface ScheduleFormProps {
  readonly draft: Draft<ScheduleContent>;
  /** Participants of the stored schedule. */
  readonly persons?: readonly Person[];
  readonly isReadOnly?: boolean;
}

const MAX_LAYERS = 10;

/** The settings of a schedule as fields, next to the shifts that they result in. */
export function ScheduleForm({ draft, persons: stored = [], isReadOnly = false }: ScheduleFormProps) {
  const { content, faults } = draft;
  const { description = "", layers, fallback_recipients: fallback } = content;
  const faultAt = faultAtOf(faults);
  const change = (changes: Partial<ScheduleContent>) => draft.change({ ...content, ...changes });
  const persons = usePersons(stored);
  const typed = layers.flatMap(({ participants }) =>
    participants.map(({ user_id = "", address = "" }): Person => {
      return persons.find((one) => user_id !== "" && one.user_id === user_id) ?? { user_id, address };
    }),
  );
  const people = createPeople([...typed, ...persons]);
  return (
    <div className="halves">
      <fieldset className="whole-form stack" disabled={isReadOnly} aria-label={t.onCall.tabs.settings}>
        {layers.map((layer, index) => (
          <FormPart
            key={index}
            title={layers.length === 1 ? t.onCall.rotation : t.onCall.layerTitle(index + 1, layer.name)}
            {...(layers.length > 1 && index === layers.length - 1 && { detail: t.onCall.layersDetail })}
          >
            {layers.length > 1 && (
              <ListButtons
                name={t.onCall.layerTitle(index + 1, layer.name)}
                at={index}
                count={layers.length}
                onMove={(by) => change({ layers: withMoved(layers, index, by) })}
                onRemove={() => change({ layers: withoutItem(layers, index) })}
              />
            )}
            <LayerFields
              layer={layer}
              persons={[...typed, ...persons]}
              people={people}
              at={`/layers/${index}`}
              faultAt={faultAt}
              onChange={(changed) => change({ layers: withItem(layers, index, changed) })}
            />
          </FormPart>
        ))}
        {faultAt("/layers") && <p className="fault">{faultAt("/layers")}</p>}
        {layers.length < MAX_LAYERS && (
          <div className="row">
            <Button
              variant="default"
              onClick={() =>
                change({ layers: [...layers, newLayer(layers.length + 1, layers[0]?.time_zone ?? "UTC")] })
              }
            >
              {t.onCall.addLayer}
            </Button>
            <span className="faint">{t.onCall.addLayerDetail}</span>
          </div>
        )}
        <FormPart title={t.onCall.others}>
          <TagsInput
            label={t.onCall.fallbackRecipients}
            description={t.onCall.fallbackDetail}
            error={faultAt("/fallback_recipients/*")}
            value={fallback}
            onChange={(fallback_recipients) => change({ fallback_recipients })}
          />
          <TextInput
            label={t.onCall.description}
            maxLength={200}
            autoComplete="off"
            error={faultAt("/description")}
            value={description}
            onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
        </FormPart>
      </fieldset>
      <Preview layers={layers} persons={persons} people={people} />
    </div>
  );
}
