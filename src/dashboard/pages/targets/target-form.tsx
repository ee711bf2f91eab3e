import { Radio, Stack, TextInput } from "@mantine/core";
import type { Target } from "../../api/targets.ts";
import { faultAtOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormPart } from "../../parts/form-part.tsx";
import { HeaderFields } from "../../parts/header-fields.tsx";
import { t } from "../../texts/texts.ts";
import { rates, type TargetContent, targetKinds } from "./content.ts";

interface TargetFormProps {
  readonly draft: Draft<TargetContent>;
  /** The stored target; undefined for a new one, which can have another kind. */
  readonly former?: Target;
  readonly isReadOnly?: boolean;
}

/** The settings of a target as fields. */
export function TargetForm({ draft, former, isReadOnly = false }: TargetFormProps) {
  const { content } = draft;
  const { kind, url = "", headers } = content;
  const faultAt = faultAtOf(draft.faults);
  const change = (changes: Partial<TargetContent>) => draft.change({ ...content, ...changes });
  return (
    <fieldset className="whole-form stack" disabled={isReadOnly} aria-label={t.targets.tabs.settings}>
      {!former && (
        <FormPart title={t.targets.kind} detail={t.targets.kindFixed}>
          <Radio.Group
            aria-label={t.targets.kind}
            value={kind}
            // Another kind has other limits.
            onChange={(chosen) => change({ kind: chosen as Target["kind"], rate_per_second: undefined })}
          >
            <Stack gap="xs">
              {targetKinds.map((one) => (
                <Radio
                  key={one}
                  value={one}
                  label={t.targets.kinds[one]}
                  description={t.targets.kindDetails[one]}
                />
              ))}
            </Stack>
          </Radio.Group>
        </FormPart>
      )}
      <FormPart title={t.targets.receiver} detail={t.targets.steps[kind]}>
        <TextInput
          type="password"
          label={t.targets.url}
          description={former ? t.targets.urlStays(former.host) : t.targets.urlDetail}
          placeholder={former ? "" : t.targets.urlHints[kind]}
          maxLength={2_048}
          required={!former}
          autoComplete="off"
          error={faultAt("/url")}
          value={url}
          onChange={({ currentTarget: { value } }) => change({ url: value })}
        />
        <div className="pair">
          <TextInput
            label={t.targets.name}
            description={t.targets.nameDetail}
            placeholder="ops-channel"
            maxLength={100}
            required
            autoComplete="off"
            error={faultAt("/name")}
            value={content.name}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <TextInput
            label={t.targets.description}
            description={t.targets.descriptionDetail}
            maxLength={200}
            autoComplete="off"
            error={faultAt("/description")}
            value={content.description ?? ""}
            onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
        </div>
      </FormPart>
      <FormPart title={t.targets.requests}>
        {rates[kind].most > 1 && (
          <TextInput
            type="number"
            min={1}
            max={rates[kind].most}
            label={t.webhooks.rate}
            description={t.targets.rateDetail(rates[kind].most, rates[kind].usual)}
            error={faultAt("/rate_per_second")}
            value={content.rate_per_second ?? ""}
            onChange={({ currentTarget: { value } }) =>
              change({ rate_per_second: value === "" ? undefined : Number(value) })
            }
          />
        )}
        <HeaderFields
          headers={headers}
          storedNames={former?.headers ?? []}
          fault={faultAt("/headers/*")}
          isMoved={former !== undefined && url !== ""}
          onChange={(next) => change({ headers: next })}
        />
      </FormPart>
    </fieldset>
  );
}
