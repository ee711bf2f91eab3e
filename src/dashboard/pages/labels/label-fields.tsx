import { Button, FileInput, TextInput } from "@mantine/core";
import { type Label, logoAddress } from "../../api/labels.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { t } from "../../texts/texts.ts";
import { base64Of, type LabelValues } from "./label-values.ts";

interface LabelFieldsProps {
  readonly label: Label | null;
  readonly values: LabelValues;
  /** The new logo in base64. */
  readonly file: string;
  /** Whether the user may not change it. */
  readonly isFixed: boolean;
  readonly faultAt: FaultAt;
  /** @param file a new logo in base64; undefined: the former one */
  readonly onChange: (changes: Partial<LabelValues>, file?: string) => void;
}

/** The color of the field of the browser, which needs one. */
const DEFAULT_COLOR = "#4f46c8";

/** Name, color and logo of the issuer of reports. */
export function LabelFields({ label, values, file, isFixed, faultAt, onChange }: LabelFieldsProps) {
  const { name, color, logo } = values;
  const stored = label?.logo ? logoAddress(label) : undefined;
  const shown =
    typeof logo === "string" ? `data:image/png;base64,${file}` : logo === null ? undefined : stored;
  return (
    <fieldset className="whole-form stack" disabled={isFixed}>
      <TextInput
        label={t.labels.issuer}
        description={t.labels.issuerDetail}
        maxLength={100}
        autoComplete="off"
        error={faultAt("/name")}
        value={name}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      <div className="row bottom-aligned">
        <TextInput
          label={t.labels.color}
          description={t.labels.colorDetail}
          placeholder="#0b5394"
          maxLength={7}
          autoComplete="off"
          error={faultAt("/color")}
          value={color}
          onChange={({ currentTarget: { value } }) => onChange({ color: value })}
        />
        <input
          type="color"
          className="swatch"
          aria-label={t.labels.pickColor}
          value={/^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOR}
          onChange={({ currentTarget: { value } }) => onChange({ color: value })}
        />
      </div>
      <FileInput
        label={t.labels.logo}
        description={t.labels.logoDetail}
        placeholder={t.labels.chooseLogo}
        accept="image/png"
        error={faultAt("/logo")}
        onChange={(chosen) => {
          if (chosen) void base64Of(chosen).then((base64) => onChange({ logo: chosen.name }, base64));
        }}
      />
      {shown !== undefined && (
        <div className="spread">
          <img className="logo" alt={t.labels.logoNow} src={shown} />
          {!isFixed && (
            <Button variant="default" size="xs" onClick={() => onChange({ logo: null })}>
              {t.labels.removeLogo}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
