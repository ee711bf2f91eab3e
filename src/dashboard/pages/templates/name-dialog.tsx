import { TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";

/** The address of a template with this name is that of the page for a new template. */
const RESERVED = "new";

interface NameDialogProps {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  /** Name at the beginning. */
  readonly proposed: string;
  /** Field of the request with the name. */
  readonly field: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new template. */
export function NameDialog({ proposed, field, onSubmit, ...dialog }: NameDialogProps) {
  const [name, setName] = useState(proposed);
  const wanted = name.trim();
  const isReserved = wanted === RESERVED;
  const refused = dialog.error === null ? undefined : fieldFaults(dialog.error)[field];
  return (
    <FormDialog {...dialog} onSubmit={() => !isReserved && onSubmit(wanted)}>
      <TextInput
        label={t.templates.name}
        description={t.templates.nameDetail}
        maxLength={100}
        required
        data-autofocus
        value={name}
        error={isReserved ? t.templates.reserved : refused}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
