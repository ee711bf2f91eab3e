import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import {
  deleteWebhook,
  disableWebhook,
  type Webhook,
  webhookQuery,
  webhooksQuery,
} from "../../api/webhooks.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { EnableWebhook } from "./enable-webhook.tsx";
import { TestEvent } from "./test-event.tsx";

const ReplayDialog = lazy(async () => ({ default: (await import("./replay-dialog.tsx")).ReplayDialog }));

/** Actions on an endpoint. Their dialogs stay open while its state changes. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"enable" | "test" | "replay" | "disable" | "delete">();
  const close = () => setAsked(undefined);
  const disable = useMutation({
    mutationFn: () => disableWebhook(webhook.id),
    onSuccess: () => {
      close();
      void queryClient.invalidateQueries({ queryKey: ["deliveries"] });
      return queryClient.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });

  async function leave() {
    // A list that still has the endpoint would request its statistics.
    queryClient.removeQueries({ queryKey: webhooksQuery.queryKey });
    await navigate({ to: "/webhooks", ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: webhookQuery(webhook.id).queryKey });
  }

  return (
    <>
      {webhook.disabled ? (
        <Button onClick={() => setAsked("enable")}>{t.webhooks.enable}</Button>
      ) : (
        <Button onClick={() => setAsked("test")}>{t.webhooks.test}</Button>
      )}
      <Button variant="default" onClick={() => setAsked("replay")}>
        {t.webhooks.replay.open}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.webhooks.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!webhook.disabled && (
            <Menu.Item onClick={() => setAsked("disable")}>{t.webhooks.disable}</Menu.Item>
          )}
          <Menu.Item onClick={() => setAsked("delete")}>{t.webhooks.delete}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === "enable" && (
        <EnableWebhook webhook={webhook} onReplay={() => setAsked("replay")} onClose={close} />
      )}
      {asked === "test" && <TestEvent webhook={webhook} onClose={close} />}
      <Suspense>{asked === "replay" && <ReplayDialog webhook={webhook} onClose={close} />}</Suspense>
      {asked === "disable" && (
        <Confirm
          title={t.webhooks.disableTitle}
          detail={t.webhooks.disableDetail}
          action={t.webhooks.disable}
          isPending={disable.isPending}
          error={disable.error}
          onConfirm={() => disable.mutate()}
          onClose={close}
        />
      )}
      {asked === "delete" && (
        <RemoveUsed
          title={t.webhooks.deleteTitle}
          detail={t.webhooks.deleteDetail}
          remove={(isForced) => deleteWebhook(webhook.id, isForced)}
          onRemoved={leave}
          onClose={close}
        />
      )}
    </>
  );
}
