import { Autocomplete, Switch, TagsInput, TextInput } from "@mantine/core";
import type { Notification } from "../../api/rules.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { spanText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { useSenderAddresses } from "../start/sender-addresses.ts";
import { alertFields } from "./condition-values.ts";
import { ReceiverFields } from "./receiver-fields.tsx";
import { ZoneField } from "./zone-field.tsx";

export interface NotificationFieldsProps {
  readonly notify: Notification;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Partial<Notification>) => void;
}

/** Recipients, on-call schedules, alert targets, sender, routing policy and template of the notices. */
export function RecipientFields({ notify, faultAt, onChange }: NotificationFieldsProps) {
  const { recipients = [], from = "", resolved_mail: isEndMailed = true } = notify;
  const { addresses } = useSenderAddresses();
  return (
    <>
      <TagsInput
        label={t.rules.recipients}
        description={t.rules.recipientsDetail}
        error={faultAt("/notify/recipients/*")}
        value={recipients}
        onChange={(changed) => onChange({ recipients: changed })}
      />
      <ReceiverFields
        receivers={notify}
        at="/notify"
        labels={{ schedules: t.rules.schedules, targets: t.rules.targets }}
        faultAt={faultAt}
        onChange={onChange}
      />
      <Autocomplete
        label={t.rules.from}
        description={t.rules.fromDetail}
        data={[...addresses]}
        autoComplete="off"
        error={faultAt("/notify/from")}
        value={from}
        onChange={(value) => onChange({ from: value })}
      />
      <Switch
        label={t.rules.resolvedMail}
        error={faultAt("/notify/resolved_mail")}
        checked={isEndMailed}
        onChange={({ currentTarget: { checked } }) => onChange({ resolved_mail: checked })}
      />
      <div className="pair">
        {(["routing_policy", "template"] as const).map((name) => (
          <TextInput
            key={name}
            label={t.rules.names[name].label}
            description={t.rules.names[name].detail}
            autoComplete="off"
            error={faultAt(`/notify/${name}`)}
            value={notify[name] ?? ""}
            onChange={({ currentTarget: { value } }) => onChange({ [name]: value.trim() })}
          />
        ))}
      </div>
      <ZoneField
        label={t.rules.timeZone}
        description={t.rules.timeZoneDetail}
        error={faultAt("/notify/time_zone")}
        value={notify.time_zone}
        onChange={(time_zone) => onChange({ time_zone })}
      />
    </>
  );
}

type SecondsField = "wait_seconds" | "interval_seconds" | "repeat_seconds" | "auto_resolve_seconds";
const groupingSeconds: readonly SecondsField[] = [
  "wait_seconds",
  "interval_seconds",
  "repeat_seconds",
  "auto_resolve_seconds",
];

/** Which alerts share an incident, and when its notices are sent. */
export function GroupingFields({ notify, faultAt, onChange }: NotificationFieldsProps) {
  const { group_by: fields = [], one_incident: isOne = false } = notify;
  return (
    <>
      <Switch
        label={t.rules.oneIncident}
        error={faultAt("/notify/one_incident")}
        checked={isOne}
        onChange={({ currentTarget: { checked } }) => onChange({ one_incident: checked })}
      />
      {!isOne && (
        <TagsInput
          label={t.rules.groupBy}
          description={t.rules.groupByDetail}
          data={alertFields.filter((field) => field !== "context.")}
          error={faultAt("/notify/group_by/*")}
          value={fields}
          onChange={(group_by) => onChange({ group_by })}
        />
      )}
      <div className="pair">
        {groupingSeconds.map((name) => (
          <NumberField
            key={name}
            label={t.rules.seconds[name].label}
            description={spanHint(t.rules.seconds[name].detail, notify[name])}
            error={faultAt(`/notify/${name}`)}
            value={notify[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </div>
    </>
  );
}

/** The limit of mails to one recipient, and the digests beyond it. */
export function LimitFields({ notify, faultAt, onChange }: NotificationFieldsProps) {
  return (
    <div className="pair">
      <NumberField
        label={t.rules.mailsPerHour}
        description={t.rules.mailsPerHourDetail}
        error={faultAt("/notify/mails_per_hour")}
        value={notify.mails_per_hour}
        onChange={(mails_per_hour) => onChange({ mails_per_hour })}
      />
      <NumberField
        label={t.rules.digestSeconds}
        description={spanHint(t.rules.digestSecondsDetail, notify.digest_seconds)}
        error={faultAt("/notify/digest_seconds")}
        value={notify.digest_seconds}
        onChange={(digest_seconds) => onChange({ digest_seconds })}
      />
    </div>
  );
}

/** The description of a field of seconds, with the span of its value in words. */
const spanHint = (detail: string, seconds: number | undefined) =>
  seconds !== undefined && seconds >= 60 ? `${detail} ${t.rules.isSpan(spanText(seconds * 1_000))}` : detail;
