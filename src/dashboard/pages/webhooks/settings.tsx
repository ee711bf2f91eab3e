import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Problem } from "../../api/problem.ts";
import { replaceWebhook, type Webhook, webhookQuery } from "../../api/webhooks.ts";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Secrets } from "./secrets.tsx";
import { SettingFields } from "./setting-fields.tsx";
import { type SettingValues, settingsBody, settingsOf, typesFault } from "./setting-values.ts";
import { WebhookFacts } from "./webhook-facts.tsx";

/** The settings of an endpoint and its secrets. */
export function Settings({ webhook }: { readonly webhook: Webhook }) {
  const may = useMay();
  // The form keeps its values while the endpoint is loaded again.
  const [begun, begin] = useState({ former: webhook, count: 0 });
  return (
    <>
      {may("webhooks.write") ? (
        <SettingForm
          key={begun.count}
          former={begun.former}
          loaded={webhook}
          onCurrent={(former) => begin({ former, count: begun.count + 1 })}
        />
      ) : (
        <WebhookFacts webhook={webhook} />
      )}
      <Secrets webhook={webhook} />
    </>
  );
}

interface SettingFormProps {
  /** The endpoint when the form began. */
  readonly former: Webhook;
  readonly loaded: Webhook;
  /** The form begins again with these settings. */
  readonly onCurrent: (webhook: Webhook) => void;
}

/** Replaces the settings. The server refuses the change if another member has changed the endpoint since the form began. */
function SettingForm({ former, loaded, onCurrent }: SettingFormProps) {
  const queryClient = useQueryClient();
  const form = useForm<SettingValues>({ initialValues: settingsOf(former), validate: typesFault });
  const save = useMutation({
    mutationFn: (values: SettingValues) =>
      replaceWebhook(former.id, { ...settingsBody(values), revision: former.revision }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(webhookQuery(saved.id).queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      notifications.show({ message: t.webhooks.saved, role: "status" });
      onCurrent(saved);
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const isStale = save.error instanceof Problem && save.error.code === "webhook.stale";
  // A rotation changes the revision too: a form without input follows.
  const isBehind = loaded.revision > former.revision && !form.isDirty();
  useEffect(() => {
    if (isBehind) onCurrent(loaded);
  }, [isBehind, loaded, onCurrent]);
  const loadCurrent = () =>
    void queryClient
      .fetchQuery({ ...webhookQuery(former.id), staleTime: 0 })
      .then(onCurrent)
      .catch(notifyProblem);
  return (
    <section className="card" aria-labelledby="settings">
      <header>
        <h2 id="settings">{t.webhooks.settings}</h2>
      </header>
      <form className="body" onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <SettingFields form={form} former={former} />
          <FormFault error={save.error} />
          <Group justify="flex-end">
            {isStale && (
              <>
                <span className="muted">{t.webhooks.loadCurrentDetail}</span>
                <Button variant="default" onClick={loadCurrent}>
                  {t.webhooks.loadCurrent}
                </Button>
              </>
            )}
            <Button type="submit" loading={save.isPending}>
              {t.webhooks.save}
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedChanges
        isDirty={form.isDirty()}
        isOfTab
        title={t.drafts.leaveTitle}
        detail={t.webhooks.loadCurrentDetail}
        action={t.drafts.leave}
      />
    </section>
  );
}
