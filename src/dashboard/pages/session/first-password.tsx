import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { changePassword, sessionQuery } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";
import { NewPassword } from "./new-password.tsx";
import { useEntered } from "./use-entered.ts";

const route = getRouteApi("/first-password");

export function FirstPasswordPage() {
  const { return_to } = route.useSearch();
  const entered = useEntered(return_to);
  const { data: session } = useQuery(sessionQuery);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({ mutationFn: changePassword, onSuccess: entered });

  function submit(event: FormEvent) {
    event.preventDefault();
    change.mutate({ current_password: current, new_password: next });
  }

  return (
    <EntryPage title={t.session.firstPassword} detail={t.session.firstPasswordDetail}>
      <form onSubmit={submit}>
        <Stack>
          <NewPassword
            email={session?.email ?? ""}
            current={current}
            onCurrent={setCurrent}
            value={next}
            onChange={setNext}
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
