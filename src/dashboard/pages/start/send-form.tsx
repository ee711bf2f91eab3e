import { Autocomplete, Button, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { rowsOf } from "../../api/pages.ts";
import { policiesQuery } from "../../api/policies.ts";
import { sessionQuery } from "../../api/session.ts";
import { sendTestMessage } from "../../api/start.ts";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useIdempotencyKeys } from "../../parts/idempotency-keys.ts";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { policyChoices } from "./policy-choices.ts";
import { useSenderAddresses } from "./sender-addresses.ts";
import { SentMessage } from "./sent-message.tsx";

/** Sends one message, and shows its state beside the form. */
export function SendForm() {
  const may = useMay();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const senders = useSenderAddresses();
  const policies = useInfiniteQuery({ ...policiesQuery, enabled: may("policies.read") });
  const choices = policyChoices(rowsOf(policies.data));
  const keys = useIdempotencyKeys();
  const form = useForm({
    initialValues: {
      from: undefined as string | undefined,
      to: session.email,
      subject: t.start.subjectExample,
      text: t.start.textExample,
      routing_policy: null as string | null,
    },
  });
  const from = form.values.from ?? senders.addresses[0] ?? "";
  const send = useMutation({
    mutationFn: sendTestMessage,
    onSuccess: () => {
      keys.renew();
      form.clearErrors();
      return queryClient.invalidateQueries({ queryKey: ["messages"] });
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const submit = form.onSubmit(({ routing_policy, ...values }) => {
    const body = { ...values, from, ...(routing_policy && { routing_policy }) };
    send.mutate({ body, idempotencyKey: keys.keyFor(body) });
  });

  return (
    <section className="card" aria-labelledby="send">
      <header>
        <h2 id="send">{t.start.send}</h2>
      </header>
      <form className="body" onSubmit={submit}>
        <Stack>
          <div className="pair">
            <Autocomplete
              label={t.start.from}
              description={t.start.fromDetail}
              data={[...senders.addresses]}
              required
              // Otherwise, the first address would be inserted into text that a fast user is typing.
              disabled={senders.isLoading}
              {...form.getInputProps("from")}
              value={from}
            />
            <TextInput
              label={t.start.to}
              description={t.start.toDetail}
              required
              {...form.getInputProps("to")}
            />
          </div>
          <TextInput label={t.start.subject} required {...form.getInputProps("subject")} />
          <Textarea label={t.start.text} autosize minRows={2} required {...form.getInputProps("text")} />
          {choices.length > 1 && (
            <Select
              label={t.start.policy}
              data={choices}
              placeholder={choices[0]?.label ?? ""}
              clearable
              clearButtonProps={{ "aria-label": t.common.clear(t.start.policy) }}
              {...form.getInputProps("routing_policy")}
            />
          )}
          <FormFault error={send.error} />
          <Group justify="space-between">
            <span className="faint">{choices[0]?.label}</span>
            <Button type="submit" loading={send.isPending} disabled={senders.isLoading}>
              {t.start.sendButton}
            </Button>
          </Group>
        </Stack>
      </form>
      {send.data && <SentMessage key={send.data.id} id={send.data.id} />}
    </section>
  );
}
