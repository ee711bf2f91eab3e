import { Button, Group, Progress, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { jobQuery } from "../../api/jobs.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

interface ReplayProgressProps {
  readonly jobId: string;
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Progress of a replay. Its end means that the deliveries are queued, not that the endpoint has accepted them. */
export function ReplayProgress({ jobId, webhookId, onClose }: ReplayProgressProps) {
  const may = useMay();
  const queryClient = useQueryClient();
  const query = useQuery(jobQuery(jobId));
  const hasEnded = query.data?.finished_at !== undefined;
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: ["deliveries"] });
  }, [hasEnded, queryClient]);
  return (
    <StateView query={query}>
      {({ state, done, skipped, failed, total = 0 }) => (
        <Stack>
          {!hasEnded && (
            <>
              <Progress
                value={total === 0 ? 0 : ((done + skipped + failed) / total) * 100}
                aria-label={t.webhooks.replay.progress}
              />
              <p className="tight">{t.webhooks.replay.running(done, total)}</p>
            </>
          )}
          <p className="tight" role="status">
            {hasEnded &&
              (state === "succeeded" ? t.webhooks.replay.done(done, skipped) : t.webhooks.replay.notDone)}
          </p>
          <div className="row">
            {may("jobs.read") && (
              <Link to="/jobs/$jobId" params={{ jobId }} className="link">
                {t.webhooks.replay.job}
              </Link>
            )}
            <Link
              to="/webhooks/$webhookId"
              params={{ webhookId }}
              search={{ tab: "deliveries", state: "pending" }}
              className="link"
              onClick={onClose}
            >
              {t.webhooks.replay.pending}
            </Link>
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.close}
            </Button>
          </Group>
        </Stack>
      )}
    </StateView>
  );
}
