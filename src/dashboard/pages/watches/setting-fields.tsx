import { Select, TagsInput, Textarea } from "@mantine/core";
import type { WatchSettings } from "../../api/watches.ts";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";

interface SettingFieldsProps {
  readonly workspace: string;
  readonly draft: Draft<WatchSettings>;
  readonly isReadOnly: boolean;
}

/** The settings of a domain as fields. */
export function SettingFields({ workspace, draft, isReadOnly }: SettingFieldsProps) {
  const { content, faults } = draft;
  const faultAt = faultAtOf(faults);
  const change = (changes: Partial<WatchSettings>) => draft.change({ ...content, ...changes });
  const listField = (name: "dkim_selectors" | "sending_ips" | "tags") => ({
    error: faultAt(`/${name}/*`),
    value: [...(content[name] ?? [])],
    splitChars: [",", " ", ";"],
    onChange: (values: string[]) => change({ [name]: values }),
  });
  return (
    <fieldset className="whole-form" disabled={isReadOnly} aria-label={t.watches.tabs.settings}>
      <div className="card">
        <div className="body stack">
          <div className="pair">
            <ClientPick
              label={t.watches.client}
              workspace={workspace}
              value={content.client_id}
              fault={faultAt("/client_id")}
              onPick={(client_id) => client_id !== undefined && change({ client_id })}
            />
            <Select
              label={t.watches.role}
              data={Object.entries(t.watches.roles).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              error={faultAt("/role")}
              value={content.role ?? "sending"}
              onChange={(role) => role && change({ role: role as NonNullable<WatchSettings["role"]> })}
            />
          </div>
          <div className="pair">
            <TagsInput
              label={t.watches.selectors}
              description={t.watches.selectorsDetail}
              {...listField("dkim_selectors")}
            />
            <TagsInput
              label={t.watches.addresses}
              description={t.watches.addressesDetail}
              {...listField("sending_ips")}
            />
          </div>
          <TagsInput
            label={t.watches.tags}
            description={t.watches.tagsDetail}
            {...listField("tags")}
            splitChars={[","]}
          />
          <Textarea
            label={t.watches.notes}
            description={t.watches.notesDetail}
            maxLength={5_000}
            autosize
            minRows={3}
            maxRows={12}
            error={faultAt("/notes")}
            value={content.notes ?? ""}
            onChange={({ currentTarget: { value } }) => change({ notes: value })}
          />
        </div>
      </div>
    </fieldset>
  );
}
