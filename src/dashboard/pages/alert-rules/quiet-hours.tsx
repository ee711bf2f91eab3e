import { Button, Checkbox, Group, Switch, TextInput } from "@mantine/core";
import type { QuietHours } from "../../api/rules.ts";
import { withItem, withoutItem } from "../../parts/edit-list.ts";
import { browserZone } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import type { NotificationFieldsProps } from "./notification-fields.tsx";
import { ZoneField } from "./zone-field.tsx";

type Window = QuietHours["windows"][number];

const night: Window = { days: [], from: "22:00", to: "07:00" };
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
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

interface WindowFieldsProps {
  readonly name: string;
  readonly window: Window;
  readonly error: string | undefined;
  readonly onChange: (window: Window) => void;
  readonly onRemove: () => void;
}

function WindowFields({ name, window, error, onChange, onRemove }: WindowFieldsProps) {
  const { days = [], from, to } = window;
  return (
    <fieldset className="part" aria-label={name}>
      <div className="spread">
        <b>{name}</b>
        <Button variant="default" size="xs" aria-label={t.common.removePart(name)} onClick={onRemove}>
          {t.common.remove}
        </Button>
      </div>
      <div className="stack">
        <div className="pair">
          {(["from", "to"] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={t.rules.windowEnds[end]}
              value={{ from, to }[end]}
              onChange={({ currentTarget: { value } }) => onChange({ ...window, [end]: value })}
            />
          ))}
        </div>
        <fieldset className="bare" aria-label={t.rules.days}>
          <Group gap="xs">
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                label={t.rules.weekdays[day - 1]}
                checked={days.includes(day)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({
                    ...window,
                    days: weekdays.filter((one) => (one === day ? checked : days.includes(one))),
                  })
                }
              />
            ))}
          </Group>
        </fieldset>
        <p className="faint tight">{days.length === 0 ? t.rules.allDays : t.rules.daysDetail}</p>
        {error && <p className="fault">{error}</p>}
      </div>
    </fieldset>
  );
}
