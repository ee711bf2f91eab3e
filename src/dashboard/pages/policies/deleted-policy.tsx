import { Button, Modal, Stack } from "@mantine/core";
import { Answer } from "../../parts/answer.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface DeletedPolicyProps {
  readonly name: string;
  /** Time until which waiting messages use the policy. */
  readonly waitingUntil: string;
  readonly onClose: () => void;
}

/** The remaining effects of a deleted policy. */
export function DeletedPolicy({ name, waitingUntil, onClose }: DeletedPolicyProps) {
  return (
    <Modal opened onClose={onClose} title={t.policies.removed(name)}>
      <Stack>
        <Answer tone="ok">
          <p>{t.policies.waitingUntil(timeText(waitingUntil, new Date(), true))}</p>
        </Answer>
        <Button variant="default" onClick={onClose}>
          {t.policies.toList}
        </Button>
      </Stack>
    </Modal>
  );
}
