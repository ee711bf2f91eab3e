import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { showSecondFactor } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";
import { useEntered } from "./use-entered.ts";

const route = getRouteApi("/second-factor");

export function SecondFactorPage() {
  const { return_to } = route.useSearch();
  const entered = useEntered(return_to);
  const [code, setCode] = useState("");
  const show = useMutation({ mutationFn: showSecondFactor, onSuccess: entered });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!show.isPending) show.mutate(code);
  }

  return (
    <EntryPage title={t.session.secondFactor} detail={t.session.secondFactorDetail}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.session.code}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <FormFault error={show.error} />
          <Button type="submit" loading={show.isPending}>
            {t.session.goOn}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}
