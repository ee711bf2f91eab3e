import { Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { FormButtons } from "./form-buttons.tsx";
import { FormFault } from "./form-fault.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly size?: "md" | "lg";
  readonly detail?: string;
  /** Action of the form: the text of its button. */
  readonly action: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Text for an error that is no response of Hermod. */
  readonly otherwise?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A dialog with one form. It is sent once, even if its button is pressed repeatedly. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    size = "md",
    detail,
    action,
    isPending,
    error,
    otherwise,
    onSubmit,
    onClose,
    children,
  } = props;

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack>
          {detail && <p className="muted tight">{detail}</p>}
          {children}
          <FormFault error={error} {...(otherwise !== undefined && { otherwise })} />
          <FormButtons action={action} isPending={isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
