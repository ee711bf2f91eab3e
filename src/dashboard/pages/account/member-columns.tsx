import type { Member } from "../../api/members.ts";
import type { SignedIn } from "../../api/session.ts";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { MemberActions } from "./member-actions.tsx";

interface MemberList {
  readonly members: readonly Member[];
  /** Whether all members are loaded. */
  readonly isWhole: boolean;
  readonly session: SignedIn;
}

export function memberColumns({ members, isWhole, session }: MemberList): readonly Column<Member>[] {
  const owners = members.filter(({ role }) => role === "owner");
  const isLastOwner = ({ role }: Member) => isWhole && role === "owner" && owners.length === 1;
  const mayWrite = session.permissions.includes("members.write");
  const actions: Column<Member> = {
    heading: t.members.actions,
    cell: (member) => (
      <MemberActions
        member={member}
        isLastOwner={isLastOwner(member)}
        isOwn={member.user_id === session.user_id}
        permissions={session.permissions}
      />
    ),
    className: "right",
  };
  return [
    {
      heading: t.members.email,
      cell: ({ email, user_id }) => (
        <>
          <b>{email || user_id}</b>{" "}
          {user_id === session.user_id && <span className="chip small">{t.members.you}</span>}
        </>
      ),
      className: "main",
    },
    {
      heading: t.members.role,
      cell: (member) => (
        <span className="row nowrap">
          {t.user.roles[member.role] ?? member.role}
          {isLastOwner(member) && <span className="chip small">{t.members.lastOwner}</span>}
        </span>
      ),
    },
    {
      heading: t.members.joined,
      cell: ({ joined_at }) => <Time at={joined_at} withDay />,
      className: "muted wide-only",
    },
    ...(mayWrite ? [actions] : []),
  ];
}
