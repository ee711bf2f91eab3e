import { Button, type ButtonProps, CopyButton } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface CopyActionProps extends Pick<ButtonProps, "size" | "mt"> {
  readonly value: string;
  /** Name of the copied text, if the button is one of several. */
  readonly label?: string;
}

/** Copies a text, and confirms it. */
export function CopyAction({ value, label, ...look }: CopyActionProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const words = copied ? t.common.copied : t.common.copy;
        return (
          <Button
            variant="default"
            onClick={copy}
            {...look}
            // Its name begins with the visible text (WCAG 2.5.3).
            {...(label !== undefined && { "aria-label": `${words}: ${label}` })}
          >
            {words}
          </Button>
        );
      }}
    </CopyButton>
  );
}
