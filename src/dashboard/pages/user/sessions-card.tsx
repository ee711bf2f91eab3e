import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endOtherSessions, endSession, sessionsQuery } from "../../api/session.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { deviceName } from "./device-name.ts";

/** Browsers that are signed in as the user. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: ["sessions"] });
  const endOne = useMutation({ mutationFn: endSession, onSuccess: reload, onError: notifyProblem });
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => {
      setAsking(false);
      return reload();
    },
  });
  const hasOthers = (query.data?.data.length ?? 0) > 1;
  const action = hasOthers && (
    <Button variant="default" onClick={() => setAsking(true)}>
      {t.user.endOthers}
    </Button>
  );
  return (
    <RowCard title={t.user.sessions} action={action}>
      <StateView query={query}>
        {({ data }) => (
          <ul className="entries">
            {data.map(({ id, client_agent, client_address, seen_at, current }) => (
              <Row
                key={id}
                title={deviceName(client_agent)}
                detail={
                  <>
                    {t.user.from} <span className="num">{client_address}</span>, {t.user.lastSeen}{" "}
                    <Time at={seen_at} withDay />
                  </>
                }
              >
                {current ? (
                  <StateBadge tone="ok">{t.user.thisSession}</StateBadge>
                ) : (
                  <Button
                    variant="default"
                    aria-label={t.user.endOf(deviceName(client_agent), client_address)}
                    loading={endOne.isPending && endOne.variables === id}
                    onClick={() => endOne.mutate(id)}
                  >
                    {t.user.end}
                  </Button>
                )}
              </Row>
            ))}
          </ul>
        )}
      </StateView>
      {isAsking && (
        <Confirm
          title={t.user.endOthers}
          detail={t.user.endOthersDetail}
          action={t.user.endOthers}
          isPending={endOthers.isPending}
          error={endOthers.error}
          onConfirm={() => endOthers.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </RowCard>
  );
}
