import { Button } from "@mantine/core";
import type { SilenceContent } from "../../api/silences.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withoutItem } from "../../parts/edit-list.ts";
import { t } from "../../texts/texts.ts";
import { WindowFields } from "../alert-rules/window-fields.tsx";
import { ZoneField } from "../alert-rules/zone-field.tsx";

type Weekly = NonNullable<SilenceContent["weekly"]>;

interface WeeklyFieldsProps {
  readonly weekly: Weekly;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Pick<SilenceContent, "weekly">) => void;
}

/** A new window, before the user changes it. */
export const sundayNight = { days: [7], from: "02:00", to: "04:00" };

/** The windows of the week in which a silence is in effect. */
export function WeeklyFields({ weekly, faultAt, onChange }: WeeklyFieldsProps) {
  const { windows, time_zone: zone } = weekly;
  const change = (changes: Partial<Weekly>) => onChange({ weekly: { ...weekly, ...changes } });
  return (
    <>
      {windows.map((window, index) => (
        <WindowFields
          key={index}
          name={t.silences.window(index + 1)}
          window={window}
          error={faultAt(`/weekly/windows/${index}/*`)}
          onChange={(changed) => change({ windows: withItem(windows, index, changed) })}
          onRemove={() => change({ windows: withoutItem(windows, index) })}
        />
      ))}
      {["/weekly", "/weekly/windows"].map(
        (at) =>
          faultAt(at) && (
            <p key={at} className="fault">
              {faultAt(at)}
            </p>
          ),
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => change({ windows: [...windows, sundayNight] })}>
          {t.silences.addWindow}
        </Button>
      </div>
      <ZoneField
        label={t.silences.zone}
        description={t.silences.zoneDetail}
        error={faultAt("/weekly/time_zone")}
        value={zone}
        onChange={(changed = "UTC") => change({ time_zone: changed })}
      />
    </>
  );
}
