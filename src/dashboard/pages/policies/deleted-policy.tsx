import { Button, Group, Stack } from "@mantine/core";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface DeletedPolicyProps {
  readonly name: string;
  /** Time until which waiting messages use the policy. */
  readonly waitingUntil: string;
  /** Shows the messages that wait. */
  readonly onQueue: () => void;
  readonly onClose: () => void;
}

/** The remaining effects of a deleted policy. */
export function DeletedPolicy({ name, waitingUntil, onQueue, onClose }: DeletedPolicyProps) {
  return (
    <Dialog onClose={onClose} title={t.policies.removed(name)}>
      <Stack>
        <Answer tone="ok">
          <p>{t.policies.waitingUntil(timeText(waitingUntil, new Date(), true))}</p>
        </Answer>
        <Group justify="flex-end">
          <Button variant="default" onClick={onQueue}>
            {t.policies.toQueue}
          </Button>
          <Button onClick={onClose}>{t.policies.toList}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
