import { Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { changePassword } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";
import { useEntered } from "./use-entered.ts";

const route = getRouteApi("/first-password");

export function FirstPasswordPage() {
  const { return_to } = route.useSearch();
  const entered = useEntered(return_to);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({ mutationFn: changePassword, onSuccess: entered });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!change.isPending) change.mutate({ current_password: current, new_password: next });
  }

  return (
    <EntryPage title={t.session.firstPassword} detail={t.session.firstPasswordDetail}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label={t.session.currentPassword}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.session.newPassword}
            description={t.session.passwordRule}
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={256}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <FormFault error={change.error} />
          <Button type="submit" loading={change.isPending}>
            {t.session.setPassword}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}
