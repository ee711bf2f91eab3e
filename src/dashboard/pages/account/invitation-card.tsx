import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Invitation, invitationsQuery, resendInvitation, revokeInvitation } from "../../api/members.ts";
import { rowsOf } from "../../api/pages.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Invitations that wait for an answer: send one again, revoke one. */
export function InvitationCard() {
  const query = useInfiniteQuery(invitationsQuery);
  const queryClient = useQueryClient();
  const may = useMay();
  const [revoking, setRevoking] = useState<Invitation>();
  const reload = () => queryClient.invalidateQueries({ queryKey: ["invitations"] });
  const resend = useMutation({
    mutationFn: ({ id }: Invitation) => resendInvitation(id),
    onSuccess: ({ email }) => {
      notifications.show({ message: t.members.resent(email), role: "status" });
      return reload();
    },
    onError: notifyProblem,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) => revokeInvitation(id),
    onSuccess: () => {
      setRevoking(undefined);
      return reload();
    },
  });
  return (
    <RowCard title={t.members.invitations}>
      <StateView
        query={query}
        empty={{
          when: ({ pages }) => pages.every(({ data }) => data.length === 0),
          view: <p className="body muted">{t.members.noInvitations}</p>,
        }}
      >
        {(data) => (
          <ul className="entries">
            {rowsOf(data).map((invitation) => {
              const { id, email, role, invited_by, expires_at } = invitation;
              return (
                <Row
                  key={id}
                  title={email}
                  detail={
                    <>
                      {t.members.invitationRow(t.user.roles[role] ?? role, invited_by)}. {t.members.expires}{" "}
                      <Time at={expires_at} withDay />
                    </>
                  }
                >
                  {may("members.write") && (
                    <>
                      <Button
                        variant="default"
                        aria-label={t.members.resendTo(email)}
                        loading={resend.isPending && resend.variables?.id === id}
                        onClick={() => resend.mutate(invitation)}
                      >
                        {t.members.resend}
                      </Button>
                      <Button
                        variant="default"
                        aria-label={t.members.revokeOf(email)}
                        onClick={() => {
                          revoke.reset();
                          setRevoking(invitation);
                        }}
                      >
                        {t.members.revoke}
                      </Button>
                    </>
                  )}
                </Row>
              );
            })}
          </ul>
        )}
      </StateView>
      {query.hasNextPage && (
        <div className="body">
          <LoadMore query={query} />
        </div>
      )}
      {revoking && (
        <Confirm
          title={t.members.revokeOf(revoking.email)}
          detail={t.members.revokeDetail}
          action={t.members.revoke}
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </RowCard>
  );
}
