import { CopyAction } from "./copy-action.tsx";

/** A text that is copied as a whole, with its button. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="copy">
      <span className="faint">{label}</span>
      <div className="spread nowrap">
        <code className="mono">{value}</code>
        <CopyAction value={value} label={label} size="xs" />
      </div>
    </div>
  );
}
