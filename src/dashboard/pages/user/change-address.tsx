import { TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { requestEmailChange } from "../../api/users.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Asks for the new address, and sends a confirmation link to it. */
export function ChangeAddress({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const change = useMutation({
    mutationFn: requestEmailChange,
    onSuccess: () => {
      notifications.show({ message: t.user.linkSent(email), autoClose: false });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.user.changeAddress}
      detail={t.user.changeAddressDetail}
      action={t.user.sendLink}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(email)}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label={t.user.newAddress}
        autoComplete="email"
        required
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
