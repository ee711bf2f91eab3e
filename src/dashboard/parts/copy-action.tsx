import { Button, type ButtonProps, CopyButton } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface CopyActionProps extends Pick<ButtonProps, "size" | "mt"> {
  readonly value: string;
  /** Names what is copied, where the button stands among others. */
  readonly label?: string;
}

/** Copies a text, and says that it has. */
export function CopyAction({ value, label, ...look }: CopyActionProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          {...look}
          {...(label !== undefined && { "aria-label": `${t.common.copy}: ${label}` })}
        >
          {copied ? t.common.copied : t.common.copy}
        </Button>
      )}
    </CopyButton>
  );
}
