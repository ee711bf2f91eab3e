import { Button, CopyButton } from "@mantine/core";
import { t } from "../texts/texts.ts";

/** A text that is copied as a whole, with its button. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="copy">
      <span className="faint">{label}</span>
      <div className="spread nowrap">
        <code className="mono">{value}</code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" onClick={copy} aria-label={`${t.common.copy}: ${label}`}>
              {copied ? t.common.copied : t.common.copy}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
