import { Progress as Bar, Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { type Job, jobQuery } from "../../api/jobs.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { JobResults } from "../jobs/results.tsx";

/** Progress of an import, and the result of each row. The address has the job: a reload shows it again. */
export function Progress({ jobId }: { readonly jobId: string }) {
  const query = useQuery(jobQuery(jobId));
  return <StateView query={query}>{(job) => <ImportJob job={job} />}</StateView>;
}

function ImportJob({ job }: { readonly job: Job }) {
  const { id, state, done, skipped, failed, total = 0 } = job;
  const queryClient = useQueryClient();
  const hasEnded = job.finished_at !== undefined;
  const ended = done + skipped + failed;
  useEffect(() => {
    if (ended > 0) void queryClient.invalidateQueries({ queryKey: ["jobs", "results", id] });
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: ["intel"] });
  }, [hasEnded, ended, id, queryClient]);
  return (
    <>
      <Answer tone={toneOf(job)}>
        <p role="status">
          <b>
            {!hasEnded && t.watchImport.running(ended, total)}
            {hasEnded &&
              (state === "succeeded"
                ? t.watchImport.done(done, skipped, failed)
                : t.watchImport.notDone(done))}
          </b>
        </p>
        {!hasEnded && (
          <>
            <Bar value={total === 0 ? 0 : (ended / total) * 100} aria-label={t.watchImport.progress} />
            <p>{t.jobs.background}</p>
          </>
        )}
        {hasEnded && <p>{state === "succeeded" ? t.watchImport.checksBegin : t.watchImport.importAgain}</p>}
        <div className="row gap-above">
          <Link to="/jobs/$jobId" params={{ jobId: id }} className="link">
            {t.watchImport.job}
          </Link>
          {hasEnded && (
            <Button
              variant="default"
              size="xs"
              renderRoot={(props) => <Link to="/intel/import" search={{}} {...props} />}
            >
              {t.watchImport.another}
            </Button>
          )}
        </div>
      </Answer>
      <JobResults jobId={id} />
    </>
  );
}

function toneOf({ state, failed, finished_at: end }: Job) {
  if (end === undefined) return "info";
  if (state !== "succeeded") return "bad";
  return failed > 0 ? "warn" : "ok";
}
