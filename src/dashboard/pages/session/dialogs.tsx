import { Button, Modal, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { setDialogs } from "../../api/reentry.ts";
import { reauthenticate, signIn } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";

type Asked = "factor" | "sign-in";

/** Asks for the password in place, so that a refused request goes on and typed input stays. */
export function Dialogs({ email }: { readonly email: string }) {
  const [asked, setAsked] = useState<Asked>();
  const [password, setPassword] = useState("");
  const answer = useRef<(given: boolean) => void>(undefined);

  useEffect(() => {
    const ask = (what: Asked) => () =>
      new Promise<boolean>((resolve) => {
        answer.current = resolve;
        setAsked(what);
      });
    const unset = setDialogs({ askForFactor: ask("factor"), askForSignIn: ask("sign-in") });
    return () => {
      unset();
      answer.current?.(false);
    };
  }, []);

  function end(given: boolean) {
    setAsked(undefined);
    setPassword("");
    answer.current?.(given);
  }

  const show = useMutation({
    mutationFn: () => (asked === "factor" ? reauthenticate({ password }) : signIn({ email, password })),
    onSuccess: () => end(true),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!show.isPending) show.mutate();
  }

  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => end(false)}
      title={asked === "factor" ? t.session.again : t.session.ended}
    >
      <form onSubmit={submit}>
        <Stack>
          <p className="muted">{asked === "factor" ? t.session.againDetail : t.session.endedDetail}</p>
          <PasswordInput
            label={t.common.password}
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormFault error={show.error} />
          <Button type="submit" loading={show.isPending}>
            {t.session.goOn}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
