import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import type { QuietHours } from "../../api/rules.ts";
import { t } from "../../texts/texts.ts";

export type WeeklyWindow = QuietHours["windows"][number];

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

interface WindowFieldsProps {
  readonly name: string;
  readonly window: WeeklyWindow;
  readonly error: string | undefined;
  readonly onChange: (window: WeeklyWindow) => void;
  readonly onRemove: () => void;
}

/** A window of the week: its days, its begin and its end. */
export function WindowFields({ name, window, error, onChange, onRemove }: WindowFieldsProps) {
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
