import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createWebhook, type RevealedWebhook } from "../../api/webhooks.ts";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { SettingFields } from "./setting-fields.tsx";
import { newSettings, type SettingValues, settingsBody, typesFault } from "./setting-values.ts";

/** Creates an endpoint, shows its secret once, and leads to the program that verifies its requests. */
export function NewWebhookPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [revealed, setRevealed] = useState<RevealedWebhook>();
  const form = useForm<SettingValues>({ initialValues: newSettings, validate: typesFault });
  const open = ({ id }: Pick<RevealedWebhook, "id">) =>
    navigate({
      to: "/webhooks/$webhookId",
      params: { webhookId: id },
      search: { tab: "verify" },
      ignoreBlocker: true,
    });
  const create = useMutation({
    mutationFn: createWebhook,
    onSuccess: async (created) => {
      void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      // A public key is shown with the endpoint, and is not secret.
      if (created.secrets[0]?.algorithm === "ed25519") await open(created);
      else setRevealed(created);
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const submit = form.onSubmit((values) =>
    create.mutate({ ...settingsBody(values), algorithm: values.algorithm }),
  );

  return (
    <>
      <PageHead
        title={t.webhooks.add}
        above={
          <Link to="/webhooks" className="link">
            {t.webhooks.title}
          </Link>
        }
      />
      <section className="card" aria-label={t.webhooks.settings}>
        <form className="body" onSubmit={submit}>
          <Stack>
            <SettingFields form={form} />
            <FormFault error={create.error} />
            <Group justify="flex-end">
              <Button
                variant="default"
                onClick={() => void navigate({ to: "/webhooks", ignoreBlocker: true })}
              >
                {t.common.cancel}
              </Button>
              <Button type="submit" loading={create.isPending}>
                {t.webhooks.add}
              </Button>
            </Group>
          </Stack>
        </form>
      </section>
      <UnsavedChanges
        isDirty={form.isDirty() && !create.isSuccess}
        title={t.drafts.leaveTitle}
        detail={t.webhooks.loadCurrentDetail}
        action={t.drafts.leave}
      />
      {revealed && (
        <SecretOnce
          title={t.webhooks.created}
          secrets={[{ label: t.webhooks.secret, value: revealed.secret }]}
          onClose={() => void open(revealed)}
        />
      )}
    </>
  );
}
