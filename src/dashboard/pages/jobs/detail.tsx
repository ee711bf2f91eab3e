import { Button, Progress } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { cancelJob, isOpen, type Job, jobQuery } from "../../api/jobs.ts";
import { Answer } from "../../parts/answer.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { JobState, jobTitle, progressText } from "./job-state.tsx";
import { JobResults } from "./results.tsx";

const route = getRouteApi("/inside/jobs/$jobId");

/** One job: its progress and the results of its items. */
export function JobPage() {
  const { jobId } = route.useParams();
  const query = useQuery(jobQuery(jobId));
  return <StateView query={query}>{(job) => <JobView job={job} />}</StateView>;
}

function JobView({ job }: { readonly job: Job }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: ["jobs"] });
  const cancel = useMutation({
    mutationFn: () => cancelJob(job.id),
    onSuccess: () => {
      setAsking(false);
      return reload();
    },
  });
  const ended = job.done + job.skipped + job.failed;
  const part = (count: number) => (job.total ? (100 * count) / job.total : 0);
  // Results grow with each step of the job.
  useEffect(() => {
    if (ended > 0) void queryClient.invalidateQueries({ queryKey: ["jobs", "results", job.id] });
  }, [queryClient, job.id, ended]);

  return (
    <>
      <div>
        <Link to="/jobs" className="link faint">
          {t.jobs.title}
        </Link>
        <PageHead title={jobTitle(job)} detail={job.about.filter ?? job.about.messages ?? job.about.domains}>
          {isOpen(job) && may("jobs.write") && !job.cancel_requested_at && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {t.jobs.cancel}
            </Button>
          )}
        </PageHead>
      </div>
      <section className="card" aria-label={t.jobs.progress}>
        <div className="body stack">
          <div className="spread">
            <div className="row" role="status">
              <JobState job={job} />
              <b className="num">{progressText(job)}</b>
            </div>
            <div className="legend">
              <Count color="var(--ok)" name="done" count={job.done} />
              <Count color="var(--line-strong)" name="skipped" count={job.skipped} />
              <Count color="var(--bad)" name="failed" count={job.failed} />
            </div>
          </div>
          <Progress.Root size="lg">
            <Progress.Section
              value={part(job.done)}
              color="var(--ok)"
              aria-label={t.jobs.outcomes.done ?? ""}
            />
            <Progress.Section
              value={part(job.skipped)}
              color="var(--line-strong)"
              aria-label={t.jobs.outcomes.skipped ?? ""}
            />
            <Progress.Section
              value={part(job.failed)}
              color="var(--bad)"
              aria-label={t.jobs.outcomes.failed ?? ""}
            />
          </Progress.Root>
          {isOpen(job) && (
            <p className="faint tight">{job.cancel_requested_at ? t.jobs.cancelling : t.jobs.background}</p>
          )}
        </div>
      </section>
      {job.failure_message && (
        <Answer tone="bad">
          <p>{job.failure_message}</p>
        </Answer>
      )}
      <JobResults jobId={job.id} />
      {isAsking && (
        <Confirm
          title={t.jobs.cancel}
          detail={t.jobs.cancelDetail}
          action={t.jobs.cancel}
          isPending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface CountProps {
  readonly color: string;
  readonly name: "done" | "skipped" | "failed";
  readonly count: number;
}

function Count({ color, name, count }: CountProps) {
  return (
    <span className="num" style={{ "--c": color } as React.CSSProperties}>
      {t.jobs.outcomes[name]} {numberText(count)}
    </span>
  );
}
