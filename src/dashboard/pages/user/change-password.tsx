import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword, sessionQuery } from "../../api/session.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { NewPassword } from "../session/new-password.tsx";

interface ChangePasswordProps {
  readonly email: string;
  readonly onClose: () => void;
}

/** Changes the password of the user. */
export function ChangePassword({ email, onClose }: ChangePasswordProps) {
  const queryClient = useQueryClient();
  const [passwords, setPasswords] = useState({ current_password: "", new_password: "" });
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      notifications.show({ message: t.user.passwordChanged });
      onClose();
      return queryClient.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <FormDialog
      title={t.user.changePassword}
      action={t.user.changePassword}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(passwords)}
      onClose={onClose}
    >
      <NewPassword
        email={email}
        current={passwords.current_password}
        onCurrent={(current_password) => setPasswords({ ...passwords, current_password })}
        value={passwords.new_password}
        onChange={(new_password) => setPasswords({ ...passwords, new_password })}
      />
    </FormDialog>
  );
}
