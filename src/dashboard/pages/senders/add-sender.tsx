import { TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { verifySender } from "../../api/senders.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Sends a verification link to an address. */
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

  return (
    <FormDialog
      title={t.senders.add}
      action={t.senders.sendLink}
      isPending={verify.isPending}
      error={verify.error}
      onSubmit={() => verify.mutate(address.trim())}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
