import { Button, Group, Select, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sendTestEvent, type Webhook, webhookTypesQuery } from "../../api/webhooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { TestResult } from "./test-result.tsx";

const TEST_TYPE = "webhook.test";

/** Sends an example of an event type, and shows whether the endpoint accepts it. */
export function TestEvent({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  // It completes the choice: without it, the test type can be sent.
  const { data } = useQuery(webhookTypesQuery);
  const [type, setType] = useState(TEST_TYPE);
  const others = (data?.data ?? []).map((one) => one.type).filter((one) => one !== TEST_TYPE);
  const send = useMutation({
    mutationFn: (chosen: string) => sendTestEvent(webhook.id, chosen),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["deliveries", "list"] }),
  });
  return (
    <Dialog onClose={onClose} title={t.webhooks.test} size="lg">
      <Stack>
        <p className="muted tight">{t.webhooks.testDetail}</p>
        <Select
          label={t.webhooks.testType}
          data={[TEST_TYPE, ...others]}
          value={type}
          allowDeselect={false}
          searchable
          onChange={(chosen) => chosen && setType(chosen)}
        />
        <FormFault error={send.error} />
        {send.data && <TestResult key={send.data.delivery_id} deliveryId={send.data.delivery_id} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
          <Button loading={send.isPending} onClick={() => send.mutate(type)}>
            {t.webhooks.test}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
