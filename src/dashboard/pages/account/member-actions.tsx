import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Member, removeMember, rolesQuery } from "../../api/members.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ChangeRole } from "./change-role.tsx";
import { isWithin } from "./role-permissions.ts";

interface MemberActionsProps {
  readonly member: Member;
  readonly isLastOwner: boolean;
  /** Whether it is the user of the page. */
  readonly isOwn: boolean;
  /** Permissions of the user of the page. */
  readonly permissions: readonly string[];
}

/** Changes the role of a member, and removes the member. A text names the reason if neither is possible. */
export function MemberActions({ member, isLastOwner, isOwn, permissions }: MemberActionsProps) {
  const queryClient = useQueryClient();
  // It completes the page: without the roles, the server decides.
  const { data, isPending } = useQuery(rolesQuery);
  const [asked, setAsked] = useState<"role" | "remove">();
  const close = () => setAsked(undefined);
  const remove = useMutation({
    mutationFn: () => removeMember(member),
    onSuccess: () => {
      close();
      notifications.show({ message: t.members.removed(member.email), role: "status" });
      return queryClient.invalidateQueries({ queryKey: ["members"] });
    },
  });
  if (isLastOwner) return <span className="faint reason">{t.members.lastOwnerDetail}</span>;
  if (isPending) return null;
  if (!isWithin(member.role, permissions, data?.roles ?? []))
    return <span className="faint reason">{t.members.beyond}</span>;
  return (
    <span className="row end nowrap">
      <Button
        variant="default"
        size="xs"
        aria-label={t.members.changeRoleOf(member.email)}
        onClick={() => setAsked("role")}
      >
        {t.members.changeRole}
      </Button>
      {isOwn ? (
        <Button variant="default" size="xs" component={Link} to="/user">
          {t.members.leave}
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={t.members.removeOf(member.email)}
          onClick={() => {
            remove.reset();
            setAsked("remove");
          }}
        >
          {t.members.remove}
        </Button>
      )}
      {asked === "role" && <ChangeRole member={member} isOwn={isOwn} onClose={close} />}
      {asked === "remove" && (
        <Confirm
          title={t.members.removeOf(member.email)}
          detail={t.members.removeDetail}
          action={t.members.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </span>
  );
}
