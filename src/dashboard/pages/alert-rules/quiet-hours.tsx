import { Button, Switch } from "@mantine/core";
import type { QuietHours } from "../../api/rules.ts";
import { withItem, withoutItem } from "../../parts/edit-list.ts";
import { browserZone } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import type { NotificationFieldsProps } from "./notification-fields.tsx";
import { type WeeklyWindow, WindowFields } from "./window-fields.tsx";
import { ZoneField } from "./zone-field.tsx";

const night: WeeklyWindow = { days: [], from: "22:00", to: "07:00" };
const AT = "/notify/quiet_hours";

/** Hours in which mail waits. */
export function QuietHoursFields({ notify, faultAt, onChange }: NotificationFieldsProps) {
  const quiet: QuietHours = notify.quiet_hours ?? { time_zone: browserZone, windows: [] };
  const { windows, time_zone: zone, hold_critical: isHeld = false } = quiet;
  const change = (changes: Partial<QuietHours>) => onChange({ quiet_hours: { ...quiet, ...changes } });
  return (
    <>
      {windows.map((window, index) => (
        <WindowFields
          key={index}
          name={t.rules.window(index + 1)}
          window={window}
          error={faultAt(`${AT}/windows/${index}/*`)}
          onChange={(changed) => change({ windows: withItem(windows, index, changed) })}
          onRemove={() => change({ windows: withoutItem(windows, index) })}
        />
      ))}
      {faultAt(AT) && <p className="fault">{faultAt(AT)}</p>}
      {windows.length > 0 && (
        <>
          <ZoneField
            label={t.rules.quietZone}
            error={faultAt(`${AT}/time_zone`)}
            value={zone}
            onChange={(changed = "UTC") => change({ time_zone: changed })}
          />
          <Switch
            label={t.rules.holdCritical}
            checked={isHeld}
            onChange={({ currentTarget: { checked } }) => change({ hold_critical: checked })}
          />
        </>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => change({ windows: [...windows, night] })}>
          {t.rules.addWindow}
        </Button>
      </div>
    </>
  );
}
