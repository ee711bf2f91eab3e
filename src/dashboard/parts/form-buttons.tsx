import { Button, Group } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface FormButtonsProps {
  /** Action of the form: the text of its button. */
  readonly action: string;
  readonly isPending: boolean;
  readonly onClose: () => void;
}

/** The last row of a form in a dialog. */
export function FormButtons({ action, isPending, onClose }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t.common.cancel}
      </Button>
      <Button type="submit" loading={isPending}>
        {action}
      </Button>
    </Group>
  );
}
