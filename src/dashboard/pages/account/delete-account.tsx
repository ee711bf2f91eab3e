import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Account, deleteAccount } from "../../api/accounts.ts";
import { home } from "../../api/client.ts";
import { readCurrentSession, switchAccount } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface DeleteAccountProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Deletes the account after its name was typed. Then the page loads again, in another account of the user. */
export function DeleteAccount({ account, onClose }: DeleteAccountProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const remove = useMutation({
    mutationFn: async () => {
      await deleteAccount();
      // The polls of the page would ask for data of the deleted account.
      await queryClient.cancelQueries();
      const session = await readCurrentSession();
      const [next] = session.memberships;
      return next ? switchAccount(next.account_id) : session;
    },
    onSuccess: (session) => {
      announceSession(session);
      window.location.assign(`${home}/dashboard/`);
    },
  });
  const isTyped = name.trim() === account.name.trim();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isTyped) remove.mutate();
  }

  return (
    <Dialog onClose={onClose} title={t.account.delete}>
      <form onSubmit={submit}>
        <Stack>
          <Answer tone="bad">
            <p>{t.account.deleteWarning}</p>
          </Answer>
          <p className="muted tight">{t.account.deleteExport}</p>
          <TextInput
            label={t.account.typeName(account.name)}
            autoComplete="off"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FormFault error={remove.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!isTyped} loading={remove.isPending}>
              {t.account.deleteNow}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
