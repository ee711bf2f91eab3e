import { Button, Stack, TextInput } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { sessionQuery } from "../../api/session.ts";
import { sendTestMessage } from "../../api/start.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useIdempotencyKeys } from "../../parts/idempotency-keys.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Sends a message from the domain to the user's own address. */
export function TestSend({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [from, setFrom] = useState(`hello@${name}`);
  const keys = useIdempotencyKeys();
  const send = useMutation({ mutationFn: sendTestMessage });

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = {
      from,
      to: session.email,
      subject: t.domains.testSendSubject(name),
      text: t.domains.testSendText(name),
    };
    send.mutate({ body, idempotencyKey: keys.keyFor(body) });
  }

  return (
    <Dialog onClose={onClose} title={t.domains.testSend}>
      {send.data ? (
        <Stack>
          <Answer tone="ok">
            <p>
              <Link to="/messages/$messageId" params={{ messageId: send.data.id }} className="link">
                {t.domains.testSent}
              </Link>
            </p>
          </Answer>
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <p className="muted tight">{t.domains.testSendDetail(session.email)}</p>
            <TextInput
              label={t.domains.testSendFrom}
              required
              data-autofocus
              value={from}
              error={send.error && fieldFaults(send.error).from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <FormFault error={send.error} />
            <FormButtons action={t.domains.testSend} isPending={send.isPending} onClose={onClose} />
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
