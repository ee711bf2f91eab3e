import { Button, Select, TextInput } from "@mantine/core";
import type { Layer, Person } from "../../api/oncalls.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withoutItem } from "../../parts/edit-list.ts";
import { MomentField } from "../../parts/moment-field.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { clockOf } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { WindowFields } from "../alert-rules/window-fields.tsx";
import { ZoneField } from "../alert-rules/zone-field.tsx";
import { ParticipantFields } from "./participant-fields.tsx";
import type { People } from "./people.ts";

interface LayerFieldsProps {
  readonly layer: Layer;
  readonly persons: readonly Person[];
  readonly people: People;
  /** JSON pointer of the layer. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (layer: Layer) => void;
}

type Unit = Layer["shift"]["unit"];

const officeHours = { days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" };
const weekdays = t.rules.weekdays.map((label, index) => ({ value: String(index + 1), label }));

/** A rotation: its people, the length of a shift, and the time of the handover. */
export function LayerFields({ layer, persons, people, at, faultAt, onChange }: LayerFieldsProps) {
  const { name, participants, starts_at: start, time_zone: zone, shift, handover, windows = [] } = layer;
  const change = (changes: Partial<Layer>) => onChange({ ...layer, ...changes });
  const turn = (changes: NonNullable<Layer["handover"]>) => change({ handover: { ...handover, ...changes } });
  const changeUnit = (unit: Unit) => {
    const { weekday = 1, ...rest } = handover ?? {};
    // Only weeks begin on a weekday.
    change({ shift: { ...shift, unit }, handover: unit === "week" ? { ...rest, weekday } : rest });
  };
  return (
    <>
      <ParticipantFields
        participants={participants}
        persons={persons}
        people={people}
        at={`${at}/participants`}
        faultAt={faultAt}
        onChange={(changed) => change({ participants: changed })}
      />
      <div className="pair">
        <NumberField
          label={t.onCall.length}
          description={t.onCall.lengthDetail}
          error={faultAt(`${at}/shift/*`)}
          value={shift.length || undefined}
          onChange={(length = 0) => change({ shift: { ...shift, length } })}
        />
        <Select
          label={t.onCall.unit}
          description={t.onCall.unitDetail}
          data={Object.entries(t.onCall.units).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          value={shift.unit}
          onChange={(unit) => changeUnit((unit ?? "week") as Unit)}
        />
      </div>
      <div className="pair">
        <TextInput
          type="time"
          label={t.onCall.handover}
          description={t.onCall.handoverDetail}
          error={faultAt(`${at}/handover/*`)}
          value={handover?.time ?? ""}
          onChange={({ currentTarget: { value } }) => turn({ time: value })}
        />
        {shift.unit === "week" && (
          <Select
            label={t.onCall.weekday}
            description={t.onCall.weekdayDetail}
            data={weekdays}
            allowDeselect={false}
            value={String(handover?.weekday ?? 1)}
            onChange={(weekday) => turn({ weekday: Number(weekday) })}
          />
        )}
      </div>
      <div className="pair">
        <ZoneField
          label={t.onCall.zone}
          description={t.onCall.zoneDetail}
          error={faultAt(`${at}/time_zone`)}
          value={zone}
          onChange={(changed = "UTC") =>
            change({ time_zone: changed, starts_at: moved(start, zone, changed) })
          }
        />
        <MomentField
          label={t.onCall.start}
          description={t.onCall.startDetail(zone)}
          isRequired
          error={faultAt(`${at}/starts_at`)}
          zone={zone}
          value={start}
          onChange={(changed = "") => change({ starts_at: changed })}
        />
      </div>
      <TextInput
        label={t.onCall.layerNameLabel}
        description={t.onCall.layerNameDetail}
        maxLength={100}
        autoComplete="off"
        error={faultAt(`${at}/name`)}
        value={name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      {windows.map((window, index) => (
        <WindowFields
          key={index}
          name={t.onCall.window(index + 1)}
          window={window}
          error={faultAt(`${at}/windows/${index}/*`)}
          onChange={(changed) => change({ windows: withItem(windows, index, changed) })}
          onRemove={() => change({ windows: withoutItem(windows, index) })}
        />
      ))}
      <div className="row">
        <Button variant="default" size="xs" onClick={() => change({ windows: [...windows, officeHours] })}>
          {t.onCall.addWindow}
        </Button>
        <span className="faint">{t.onCall.windowsDetail}</span>
      </div>
    </>
  );
}

/** The same local time in another zone. */
function moved(at: string, from: string, to: string): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return at;
  return new Date(clockOf(to).momentOf(clockOf(from).localAt(atMs))).toISOString();
}
