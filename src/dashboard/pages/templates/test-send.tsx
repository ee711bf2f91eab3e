import { Autocomplete, Button, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { rowsOf } from "../../api/pages.ts";
import { policiesQuery } from "../../api/policies.ts";
import { sessionQuery } from "../../api/session.ts";
import { sendTest, type TestBody } from "../../api/templates.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { policyChoices } from "../start/policy-choices.ts";
import { useSenderAddresses } from "../start/sender-addresses.ts";
import { SentMessage } from "../start/sent-message.tsx";
import type { Draft } from "./use-draft.ts";
import { useSaveFirst, useStored } from "./use-template-change.ts";
import type { TestData } from "./use-test-data.ts";

interface TestSendProps {
  readonly draft: Draft;
  readonly data: TestData;
  readonly onClose: () => void;
}

/** Sends the template with the shown data to one address, into the sandbox or to the recipient as the policy decides. */
export function TestSend({ draft, data, onClose }: TestSendProps) {
  const { base, text, isDirty } = draft;
  const may = useMay();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const senders = useSenderAddresses();
  const policies = useInfiniteQuery({ ...policiesQuery, enabled: may("policies.read") });
  const choices = policyChoices(rowsOf(policies.data));
  const saveFirst = useSaveFirst(draft);
  const { reload } = useStored(base.name);
  const form = useForm({
    initialValues: {
      from: undefined as string | undefined,
      to: session.email,
      routing_policy: null as string | null,
    },
  });
  // The template's own sender can be unverified: the form shows it, and the user can replace it.
  const from = form.values.from ?? (text.from || senders.addresses[0] || "");
  const send = useMutation({
    mutationFn: async (body: TestBody) => {
      await saveFirst();
      return sendTest(base.name, body);
    },
    onSuccess: () => {
      form.clearErrors();
      return queryClient.invalidateQueries({ queryKey: ["messages"] });
    },
    onError: (error) => {
      form.setErrors(fieldFaults(error));
      reload();
    },
  });
  const submit = form.onSubmit(({ to, routing_policy }) =>
    send.mutate({ to, from, data: data.data, ...(routing_policy && { routing_policy }) }),
  );
  if (send.data)
    return (
      <Dialog onClose={onClose} title={t.templates.testTitle(base.name)}>
        <Stack>
          <SentMessage id={send.data.message_id} />
          <Button variant="default" onClick={onClose}>
            {t.common.close}
          </Button>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={t.templates.testTitle(base.name)}>
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">
            {t.templates.testDetail} {isDirty && t.templates.testSaves}
          </p>
          <Autocomplete
            label={t.templates.testFrom}
            description={t.templates.testFromDetail}
            data={[...senders.addresses]}
            required
            disabled={senders.isLoading}
            {...form.getInputProps("from")}
            value={from}
          />
          <TextInput label={t.templates.testTo} required data-autofocus {...form.getInputProps("to")} />
          {choices.length > 0 && (
            <Select
              label={t.templates.testPolicy}
              description={t.templates.testPolicyDetail}
              data={choices}
              placeholder={choices[0]?.label ?? ""}
              clearable
              clearButtonProps={{ "aria-label": t.common.clear(t.templates.testPolicy) }}
              {...form.getInputProps("routing_policy")}
            />
          )}
          <FormFault error={send.error} />
          <FormButtons
            action={t.templates.testSend}
            // The sender would be empty until the addresses are known.
            isPending={send.isPending || senders.isLoading}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
