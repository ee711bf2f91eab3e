import { Select, TagsInput, TextInput } from "@mantine/core";
import type { HeartbeatContent } from "../../api/heartbeats.ts";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { t } from "../../texts/texts.ts";
import { type ChangeHeartbeat, TimeFields } from "./time-fields.tsx";

interface HeartbeatFormProps {
  readonly draft: Draft<HeartbeatContent>;
  readonly isReadOnly?: boolean;
}

/** The settings of a heartbeat as fields. */
export function HeartbeatForm({ draft, isReadOnly = false }: HeartbeatFormProps) {
  const { content, faults } = draft;
  const faultAt = faultAtOf(faults);
  const change: ChangeHeartbeat = (changes) => draft.change({ ...content, ...changes } as HeartbeatContent);
  const textField = (name: "event_type" | "source" | "entity_type" | "entity_id") => ({
    maxLength: 255,
    autoComplete: "off",
    error: faultAt(`/${name}`),
    value: content[name] ?? "",
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: value }),
  });
  return (
    <fieldset className="whole-form stack" disabled={isReadOnly} aria-label={t.heartbeats.tabs.settings}>
      <div className="card">
        <div className="body">
          <TextInput
            label={t.heartbeats.name}
            description={t.heartbeats.nameDetail}
            maxLength={100}
            required
            autoComplete="off"
            error={faultAt("/name")}
            value={content.name}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
        </div>
      </div>
      <TimeFields content={content} faultAt={faultAt} onChange={change} />
      <FormPart title={t.heartbeats.alert} detail={t.heartbeats.alertDetail}>
        <div className="pair">
          <Select
            label={t.heartbeats.severity}
            data={Object.entries(t.incidents.severities).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            error={faultAt("/severity")}
            value={content.severity ?? "critical"}
            onChange={(value) => change({ severity: value as HeartbeatContent["severity"] })}
          />
          <TagsInput
            label={t.heartbeats.tags}
            description={t.heartbeats.tagsDetail}
            error={faultAt("/tags/*")}
            value={[...(content.tags ?? [])]}
            onChange={(tags) => change({ tags })}
          />
        </div>
        <div className="pair">
          <TextInput
            label={t.heartbeats.eventType}
            description={t.heartbeats.fieldDetail}
            {...textField("event_type")}
          />
          <TextInput
            label={t.heartbeats.source}
            description={t.heartbeats.fieldDetail}
            {...textField("source")}
          />
        </div>
        <div className="pair">
          <TextInput
            label={t.heartbeats.entity}
            description={t.heartbeats.entityDetail}
            {...textField("entity_id")}
          />
          <TextInput
            label={t.heartbeats.entityType}
            description={t.heartbeats.entityTypeDetail}
            {...textField("entity_type")}
          />
        </div>
      </FormPart>
    </fieldset>
  );
}
