import { Button } from "@mantine/core";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { membersQuery } from "../../api/members.ts";
import { sessionQuery } from "../../api/session.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { InvitationCard } from "./invitation-card.tsx";
import { InviteMember } from "./invite-member.tsx";
import { memberColumns } from "./member-columns.tsx";

/** Members of the account, and open invitations. */
export function MembersPage() {
  const query = useInfiniteQuery(membersQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const may = useMay();
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHead title={t.members.title} detail={t.members.detail}>
        <Button variant="default" component={Link} to="/account/roles">
          {t.members.rolesLink}
        </Button>
        {may("members.write") && <Button onClick={() => setInviting(true)}>{t.members.invite}</Button>}
      </PageHead>
      <ListCard query={query} empty={{ title: t.members.title }}>
        {(members) => (
          <Table
            label={t.members.title}
            columns={memberColumns({ members, isWhole: !query.hasNextPage, session })}
            rows={members}
            rowKey={({ user_id }) => user_id}
          />
        )}
      </ListCard>
      <InvitationCard />
      {isInviting && <InviteMember onClose={() => setInviting(false)} />}
    </>
  );
}
