import { Radio, TextInput } from "@mantine/core";
import type { HeartbeatContent } from "../../api/heartbeats.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { ZoneField } from "../alert-rules/zone-field.tsx";
import { cronTimes, periodTimes } from "./content.ts";
import { SpanField } from "./span-field.tsx";

/** Changes fields of the settings; an undefined one is removed. */
export type ChangeHeartbeat = (
  changes: { readonly [Name in keyof HeartbeatContent]?: HeartbeatContent[Name] | undefined },
) => void;

interface TimeFieldsProps {
  readonly content: HeartbeatContent;
  readonly faultAt: FaultAt;
  readonly onChange: ChangeHeartbeat;
}

/** The expected times of the pings, and the grace time. */
export function TimeFields({ content, faultAt, onChange }: TimeFieldsProps) {
  const kind = content.cron === undefined ? "period" : "cron";
  return (
    <FormPart title={t.heartbeats.times} detail={t.heartbeats.timesDetail}>
      <Radio.Group
        label={t.heartbeats.schedule}
        value={kind}
        onChange={(chosen) => onChange(chosen === "cron" ? cronTimes : periodTimes)}
      >
        <div className="row">
          {(["period", "cron"] as const).map((one) => (
            <Radio key={one} value={one} label={t.heartbeats.schedules[one]} />
          ))}
        </div>
      </Radio.Group>
      {kind === "period" ? (
        <SpanField
          label={t.heartbeats.period}
          description={t.heartbeats.periodDetail}
          seconds={content.period_seconds}
          error={faultAt("/period_seconds")}
          onChange={(period_seconds) => onChange({ period_seconds })}
        />
      ) : (
        <div className="pair">
          <TextInput
            label={t.heartbeats.cron}
            description={t.heartbeats.cronDetail}
            placeholder="5 2 * * *"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: "mono" }}
            error={faultAt("/cron") ?? faultAt("/period_seconds")}
            value={content.cron ?? ""}
            onChange={({ currentTarget: { value } }) => onChange({ cron: value })}
          />
          <ZoneField
            label={t.heartbeats.timezone}
            description={t.heartbeats.timezoneDetail}
            error={faultAt("/timezone")}
            value={content.timezone}
            onChange={(timezone) => onChange({ timezone })}
          />
        </div>
      )}
      <SpanField
        label={t.heartbeats.grace}
        description={t.heartbeats.graceDetail}
        seconds={content.grace_seconds}
        error={faultAt("/grace_seconds")}
        onChange={(grace_seconds) => onChange({ grace_seconds })}
      />
    </FormPart>
  );
}
