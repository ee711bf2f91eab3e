import { Select, Switch, TagsInput, TextInput } from "@mantine/core";
import type { PolicyContent } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { spanText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

export interface PolicyFieldsProps {
  readonly content: PolicyContent;
  readonly faultAt: FaultAt;
  readonly onChange: (changes: Partial<PolicyContent>) => void;
}

const seconds = (count: number) => spanText(count * 1_000);
const FIRST_PRIORITY = "transactional";

/** Retries, age, priority and limits. */
export function DeliveryFields({ content, faultAt, onChange }: PolicyFieldsProps) {
  const { retry, max_age_seconds: maxAge, priority = FIRST_PRIORITY, limits } = content;
  const waits = retry?.waits_seconds ?? [];
  return (
    <>
      <TagsInput
        label={t.policies.waits}
        description={
          waits.length === 0 ? t.policies.waitsDetail : t.policies.waitsShown(waits.map(seconds).join(", "))
        }
        // A schedule can wait twice for the same time.
        allowDuplicates
        error={faultAt("/retry/*")}
        value={waits.map(String)}
        onChange={(texts) => {
          const numbers = texts.map(Number).filter((count) => Number.isFinite(count));
          onChange({ retry: { waits_seconds: numbers } });
        }}
      />
      <Select
        label={t.policies.priority}
        data={Object.entries({ ...unknown(priority), ...t.policies.priorities }).map(([value, label]) => ({
          value,
          label,
        }))}
        allowDeselect={false}
        error={faultAt("/priority")}
        value={priority}
        onChange={(picked) => picked && onChange({ priority: picked })}
      />
      <div className="pair">
        <NumberField
          label={t.policies.maxAge}
          description={
            maxAge === undefined ? t.policies.maxAgeDetail : t.policies.maxAgeShown(seconds(maxAge))
          }
          value={maxAge}
          error={faultAt("/max_age_seconds")}
          onChange={(max_age_seconds) => onChange({ max_age_seconds })}
        />
        <NumberField
          label={t.policies.concurrency}
          description={t.policies.limitsDetail}
          value={limits?.concurrency}
          error={faultAt("/limits/concurrency") ?? faultAt("/limits")}
          onChange={(concurrency) => onChange({ limits: { ...limits, concurrency } })}
        />
        <NumberField
          label={t.policies.perMinute}
          description={t.policies.limitsDetail}
          value={limits?.messages_per_minute}
          error={faultAt("/limits/messages_per_minute")}
          onChange={(messages_per_minute) => onChange({ limits: { ...limits, messages_per_minute } })}
        />
      </div>
    </>
  );
}

/** A value of the JSON that is not a choice. */
const unknown = (priority: string) =>
  Object.hasOwn(t.policies.priorities, priority) ? {} : { [priority]: priority };

const sources = ["address", "address6", "helo_name"] as const;
const sourceTexts = {
  address: [t.policies.address, t.policies.sourceDetail],
  address6: [t.policies.address6, t.policies.sourceDetail],
  helo_name: [t.policies.heloName, t.policies.heloDetail],
} as const;

/** Addresses that Hermod connects from. */
export function SourceFields({ content: { source }, faultAt, onChange }: PolicyFieldsProps) {
  return (
    <div className="pair">
      {sources.map((name) => (
        <TextInput
          key={name}
          label={sourceTexts[name][0]}
          description={sourceTexts[name][1]}
          autoComplete="off"
          error={faultAt(`/source/${name}`)}
          value={source?.[name] ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ source: { ...source, [name]: value.trim() || undefined } })
          }
        />
      ))}
    </div>
  );
}

/** Unsubscribe header and tracking. */
export function HeaderFields({ content, faultAt, onChange }: PolicyFieldsProps) {
  const { list_unsubscribe: isUnsubscribe = false, tracking } = content;
  return (
    <>
      <Switch
        label={t.policies.listUnsubscribe}
        error={faultAt("/list_unsubscribe")}
        checked={isUnsubscribe}
        onChange={({ currentTarget: { checked } }) => onChange({ list_unsubscribe: checked })}
      />
      <Switch
        label={t.policies.opens}
        error={faultAt("/tracking/*")}
        checked={tracking?.opens ?? false}
        onChange={({ currentTarget: { checked } }) => onChange({ tracking: { ...tracking, opens: checked } })}
      />
      <Switch
        label={t.policies.clicks}
        checked={tracking?.clicks ?? false}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ tracking: { ...tracking, clicks: checked } })
        }
      />
    </>
  );
}
