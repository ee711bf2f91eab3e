import { Button, Checkbox, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "../texts/texts.ts";
import { CopyField } from "./copy-field.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  /** Labels and secrets. They exist only in the state of the page, never in a cache. */
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  readonly onClose: () => void;
}

/** Shows secrets that Hermod never shows again. Before the dialog or the tab closes, it asks whether they are stored. */
export function SecretOnce({ title, secrets, onClose }: SecretOnceProps) {
  const [isStored, setStored] = useState(false);

  useEffect(() => {
    if (isStored) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isStored]);

  return (
    <Dialog
      onClose={() => isStored && onClose()}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={isStored}
      size="lg"
      title={title}
    >
      <Stack>
        <p className="muted">{t.secret.once}</p>
        {secrets.map(({ label, value }) => (
          <CopyField key={label} label={label} value={value} />
        ))}
        <Checkbox
          label={t.secret.stored}
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={onClose}>
          {t.secret.done}
        </Button>
      </Stack>
    </Dialog>
  );
}
