import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addPasskey, type Passkey, removePasskey, renamePasskey } from "../../api/factors.ts";
import { canUsePasskeys } from "../../api/session.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { Time } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface Open {
  readonly what: "add" | "rename" | "remove";
  readonly passkey?: Passkey;
}

/** Passkeys of the user: add, rename, remove. */
export function PasskeyCard({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [name, setName] = useState("");
  const [codes, setCodes] = useState<readonly string[]>([]);
  const change = useMutation({
    mutationFn: async ({ what, passkey }: Open) => {
      if (!passkey) setCodes((await addPasskey(name)).recovery_codes);
      else if (what === "rename") await renamePasskey(passkey, name);
      else await removePasskey(passkey.id);
    },
    onSuccess: () => {
      setOpen(undefined);
      return queryClient.invalidateQueries();
    },
  });

  function show(next: Open) {
    change.reset();
    setName(next.passkey?.name ?? "");
    setOpen(next);
  }
  const close = () => setOpen(undefined);
  const add = canUsePasskeys && (
    <Button variant="default" onClick={() => show({ what: "add" })}>
      {t.user.addPasskey}
    </Button>
  );

  return (
    <RowCard title={t.user.passkeys} action={add}>
      <ul className="entries">
        {passkeys.length === 0 && <li className="muted">{t.user.passkeyNone}</li>}
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            title={passkey.name}
            detail={
              <>
                {t.user.added} <Time at={passkey.created_at} withDay />
                {passkey.last_used_at && (
                  <>
                    , {t.user.lastUsed} <Time at={passkey.last_used_at} withDay />
                  </>
                )}
              </>
            }
          >
            <Button
              variant="default"
              aria-label={t.user.renameOf(passkey.name)}
              onClick={() => show({ what: "rename", passkey })}
            >
              {t.user.rename}
            </Button>
            <Button
              variant="default"
              aria-label={t.user.removeOf(passkey.name)}
              onClick={() => show({ what: "remove", passkey })}
            >
              {t.user.remove}
            </Button>
          </Row>
        ))}
      </ul>
      {open?.what === "remove" && (
        <Confirm
          title={t.user.removeOf(open.passkey?.name ?? "")}
          detail={t.user.removePasskeyDetail}
          action={t.user.remove}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(open)}
          onClose={close}
        />
      )}
      {open && open.what !== "remove" && (
        <FormDialog
          title={open.passkey ? t.user.renameOf(open.passkey.name) : t.user.addPasskey}
          {...(!open.passkey && { detail: t.user.addPasskeyDetail })}
          action={open.passkey ? t.user.rename : t.user.addPasskey}
          isPending={change.isPending}
          error={change.error}
          otherwise={t.user.passkeyFailed}
          onSubmit={() => change.mutate(open)}
          onClose={close}
        >
          <TextInput
            label={t.user.passkeyName}
            placeholder={t.user.passkeyNameHint}
            maxLength={100}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </FormDialog>
      )}
      {codes.length > 0 && (
        <SecretOnce
          title={t.user.newCodes}
          secrets={[{ label: t.user.codesLabel, value: codes.join("\n") }]}
          onClose={() => setCodes([])}
        />
      )}
    </RowCard>
  );
}
