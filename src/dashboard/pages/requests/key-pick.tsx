import { PickField } from "../../parts/pick-field.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { FoundKey } from "../keys/found-key.tsx";

interface KeyPickProps {
  /** Id of a key. */
  readonly value: string | undefined;
  readonly onPick: (keyId: string | undefined) => void;
}

/** Filter by one of the account's keys, also an expired or revoked one. */
export function KeyPick({ value, onPick }: KeyPickProps) {
  const may = useMay();
  if (!may("keys.read")) {
    const options = value === undefined ? {} : { [value]: value };
    return <PickField label={t.requests.key} options={options} value={value} onPick={onPick} />;
  }
  return (
    <FoundKey
      label={t.requests.key}
      placeholder={`${t.requests.key}: ${t.common.any}`}
      use="any"
      value={value}
      onPick={onPick}
    />
  );
}
