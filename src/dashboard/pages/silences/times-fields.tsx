import { Button, SegmentedControl } from "@mantine/core";
import type { SilenceContent } from "../../api/silences.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { MomentField } from "../../parts/moment-field.tsx";
import { browserZone } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { defaultEnd } from "./new-content.ts";
import { sundayNight, WeeklyFields } from "./weekly-fields.tsx";

interface TimesFieldsProps {
  readonly content: SilenceContent;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Partial<SilenceContent>) => void;
}

const kinds = ["once", "weekly"] as const;
const MINUTE_MS = 60_000;
const minutes = ["60", "240", "1440", "10080"] as const;

/** When a silence is in effect: once, or in windows of the week. */
export function TimesFields({ content, faultAt, onChange }: TimesFieldsProps) {
  const { starts_at: start, ends_at: end, weekly } = content;
  const kind = weekly ? "weekly" : "once";
  const change = (chosen: string) =>
    onChange(
      chosen === "weekly"
        ? { weekly: { time_zone: browserZone, windows: [sundayNight] }, ends_at: undefined }
        : { weekly: undefined, ends_at: end ?? defaultEnd() },
    );
  const lasting = (span: string) => {
    const from = start === undefined ? Date.now() : Math.max(Date.parse(start), Date.now());
    onChange({ ends_at: new Date(from + Number(span) * MINUTE_MS).toISOString() });
  };
  return (
    <>
      <SegmentedControl
        aria-label={t.silences.times}
        data={kinds.map((value) => ({ value, label: t.silences.kinds[value] }))}
        value={kind}
        onChange={change}
      />
      {weekly && <WeeklyFields weekly={weekly} faultAt={faultAt} onChange={onChange} />}
      <div className="pair">
        <MomentField
          label={t.silences.start}
          description={t.silences.startDetail}
          error={faultAt("/starts_at")}
          value={start}
          onChange={(starts_at) => onChange({ starts_at })}
        />
        <MomentField
          label={t.silences.end}
          description={weekly ? t.silences.weeklyEndDetail : t.silences.endDetail}
          isRequired={!weekly}
          error={faultAt("/ends_at")}
          value={end}
          onChange={(ends_at) => onChange({ ends_at })}
        />
      </div>
      {!weekly && (
        <fieldset className="bare row" aria-label={t.silences.lasting}>
          {minutes.map((span) => (
            <Button key={span} variant="default" size="xs" onClick={() => lasting(span)}>
              {t.silences.spans[span]}
            </Button>
          ))}
        </fieldset>
      )}
      <p className="faint tight">{t.silences.inZone(browserZone)}</p>
    </>
  );
}
