import { Button, Group, Stack } from "@mantine/core";
import { t } from "../texts/texts.ts";
import { Dialog } from "./dialog.tsx";
import { FormFault } from "./form-fault.tsx";

interface ConfirmProps {
  readonly title: string;
  /** The effect of the change, and the resources that stop working. */
  readonly detail: string;
  readonly action: string;
  /** Color of the action; missing: that of a loss. */
  readonly color?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before a change that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, detail, action, color = "red", isPending, error, onConfirm, onClose } = props;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <p>{detail}</p>
        <FormFault error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button color={color} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
