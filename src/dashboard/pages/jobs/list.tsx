import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Job, type JobFilter, jobsBy } from "../../api/jobs.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { JobState, jobTitle, progressText } from "./job-state.tsx";

const route = getRouteApi("/inside/jobs");

const columns: readonly Column<Job>[] = [
  { heading: t.jobs.state, cell: (job) => <JobState job={job} /> },
  {
    heading: t.jobs.kind,
    cell: (job) => (
      <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="main">
        {jobTitle(job)}
      </Link>
    ),
    className: "main",
  },
  { heading: t.jobs.about, cell: ({ about }) => about.filter, className: "grow muted wide-only" },
  { heading: t.jobs.progress, cell: progressText, className: "num wide-only" },
  { heading: t.jobs.startedBy, cell: ({ started_by_name }) => started_by_name, className: "muted wide-only" },
  { heading: t.jobs.created, cell: ({ created_at }) => <Time at={created_at} />, className: "right muted" },
];

/** Long-running work of the account, newest first. */
export function JobListPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(jobsBy(filter));
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }) as JobFilter, replace: true });
  return (
    <>
      <PageHead title={t.jobs.title} detail={t.jobs.detail} />
      <search className="row">
        <PickField
          label={t.jobs.kind}
          options={t.jobs.kinds}
          value={filter.kind}
          onPick={(kind) => change({ kind })}
        />
        <PickField
          label={t.jobs.state}
          options={t.jobs.states}
          value={filter.state}
          onPick={(state) => change({ state })}
        />
      </search>
      <ListCard
        query={query}
        empty={
          Object.values(filter).some(Boolean)
            ? { title: t.jobs.emptyFiltered }
            : { title: t.jobs.empty, detail: t.jobs.emptyDetail }
        }
      >
        {(rows) => <Table label={t.jobs.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </ListCard>
    </>
  );
}
