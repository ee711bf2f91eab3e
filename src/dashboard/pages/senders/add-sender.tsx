import { Modal, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { verifySender } from "../../api/senders.ts";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { t } from "../../texts/texts.ts";

/** Mails a link that verifies an address. */
export function AddSender({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [address, setAddress] = useState("");
  const verify = useMutation({
    mutationFn: verifySender,
    onSuccess: async ({ value, verified_at }) => {
      if (!verified_at) notifications.show({ message: t.senders.resent(value), role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["senders"] });
      onClose();
    },
  });

  const submitOnce = useSubmit(verify);

  function submit(event: FormEvent) {
    event.preventDefault();
    submitOnce(address.trim());
  }

  return (
    <Modal opened onClose={onClose} title={t.senders.add}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.senders.address}
            description={t.senders.addDetail}
            placeholder="news@example.com"
            type="email"
            required
            data-autofocus
            error={verify.error && fieldFaults(verify.error).value}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <FormFault error={verify.error} />
          <FormButtons action={t.senders.sendLink} isPending={verify.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
