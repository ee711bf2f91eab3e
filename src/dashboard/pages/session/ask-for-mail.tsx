import { Button, Stack, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Done } from "./mail-link.tsx";

interface AskForMailProps {
  readonly detail: string;
  readonly sent: string;
  readonly send: (email: string) => Promise<unknown>;
}

/** Asks for an address and sends a link to it. */
export function AskForMail({ detail, sent, send }: AskForMailProps) {
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: () => send(email) });
  const toSignIn = (
    <Link className="link" to="/sign-in">
      {t.mailLinks.toSignIn}
    </Link>
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    ask.mutate();
  }

  if (ask.isSuccess) return <Done action={toSignIn}>{sent}</Done>;
  return (
    <form onSubmit={submit}>
      <Stack>
        <p className="muted tight">{detail}</p>
        <TextInput
          label={t.common.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <FormFault error={ask.error} />
        <Button type="submit" loading={ask.isPending}>
          {t.mailLinks.sendMail}
        </Button>
        {toSignIn}
      </Stack>
    </form>
  );
}
