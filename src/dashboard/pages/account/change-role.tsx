import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeRole, type Member } from "../../api/members.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { RoleField } from "./role-field.tsx";

interface ChangeRoleProps {
  readonly member: Member;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** Changes the role of a member. */
export function ChangeRole({ member, isOwn, onClose }: ChangeRoleProps) {
  const queryClient = useQueryClient();
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: (chosen: string) => changeRole(member, chosen),
    onSuccess: async () => {
      // The permissions of the own session may have changed too.
      await queryClient.invalidateQueries({ queryKey: isOwn ? [] : ["members"] });
      onClose();
    },
    // After a change by another member, the next try is based on the current role.
    onError: () => void queryClient.invalidateQueries({ queryKey: ["members"] }),
  });
  return (
    <FormDialog
      title={t.members.changeRoleOf(member.email)}
      detail={t.members.changeRoleDetail}
      action={t.members.save}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(role)}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
      {isOwn && role !== member.role && (
        <Answer tone="warn">
          <p>{t.members.ownRoleDetail}</p>
        </Answer>
      )}
    </FormDialog>
  );
}
