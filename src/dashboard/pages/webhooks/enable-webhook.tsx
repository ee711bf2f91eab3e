import { Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { disableWebhook, enableWebhook, sendTestEvent, type Webhook } from "../../api/webhooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { TestResult } from "./test-result.tsx";

interface EnableWebhookProps {
  readonly webhook: Webhook;
  readonly onReplay: () => void;
  readonly onClose: () => void;
}

/**
 * Enables an endpoint, sends it a test event, and leads to the replay of failed deliveries. A disabled endpoint receives
 * nothing, so that the test event follows.
 */
export function EnableWebhook({ webhook, onReplay, onClose }: EnableWebhookProps) {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  const enable = useMutation({
    mutationFn: async () => {
      await enableWebhook(webhook.id);
      return sendTestEvent(webhook.id);
    },
    // Also if only the test event was refused.
    onSettled: reload,
  });
  const disable = useMutation({
    mutationFn: () => disableWebhook(webhook.id),
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  const tested = enable.data?.delivery_id;
  return (
    <Dialog onClose={onClose} title={t.webhooks.enableTitle} size="lg">
      <Stack>
        <FormFault error={enable.error ?? disable.error} />
        {tested === undefined ? (
          <p className="tight">{t.webhooks.enableDetail}</p>
        ) : (
          <TestResult deliveryId={tested} accepted={t.webhooks.enabledWell} refused={t.webhooks.enabledBadly}>
            <Button variant="default" size="xs" loading={disable.isPending} onClick={() => disable.mutate()}>
              {t.webhooks.disableAgain}
            </Button>
          </TestResult>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {tested === undefined ? t.common.cancel : t.common.close}
          </Button>
          {tested === undefined ? (
            <Button loading={enable.isPending} onClick={() => enable.mutate()}>
              {t.webhooks.enable}
            </Button>
          ) : (
            <Button onClick={onReplay}>{t.webhooks.replay.open}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
