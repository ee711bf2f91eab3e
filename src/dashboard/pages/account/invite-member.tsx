import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { installationQuery } from "../../api/installation.ts";
import { createInvitation } from "../../api/members.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { RoleField } from "./role-field.tsx";

/** The role with the fewest permissions, until another one is chosen. */
const FIRST_ROLE = "viewer";

/** Sends an invitation with a role. */
export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const { data: installation } = useQuery(installationQuery);
  const form = useForm({ initialValues: { email: "", role: FIRST_ROLE } });
  const invite = useMutation({
    mutationFn: createInvitation,
    onSuccess: async ({ email }) => {
      notifications.show({ message: t.members.invited(email), role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["invitations"] });
      onClose();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const mail = installation?.system_mail;
  return (
    <FormDialog
      title={t.members.invite}
      detail={t.members.inviteDetail}
      action={t.members.inviteAction}
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={form.onSubmit((values) => invite.mutate(values))}
      onClose={onClose}
    >
      {(mail === "off" || mail === "captured") && (
        <Answer tone="warn">
          <p>{mail === "off" ? t.members.noMail : t.members.captured}</p>
        </Answer>
      )}
      <TextInput
        type="email"
        label={t.common.email}
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps("email")}
      />
      <RoleField
        value={form.values.role}
        onChange={(role) => form.setFieldValue("role", role)}
        error={form.errors.role}
      />
    </FormDialog>
  );
}
