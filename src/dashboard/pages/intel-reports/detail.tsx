import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { isInProgress, type Report, reportAddress, reportPageQuery, reportQuery } from "../../api/reports.ts";
import { Answer } from "../../parts/answer.tsx";
import { MailHtml } from "../../parts/mail-parts.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";
import { ReportActions } from "./report-actions.tsx";
import { periodText } from "./report-columns.tsx";
import { ReportLinks } from "./report-links.tsx";

const route = getRouteApi("/inside/intel/reports/$reportId");

/** A report: its progress, then its page with its links. */
export function ReportPage() {
  const { reportId } = route.useParams();
  const query = useQuery(reportQuery(reportId));
  return <StateView query={query}>{(report) => <ReportView report={report} />}</StateView>;
}

function ReportView({ report }: { readonly report: Report }) {
  const { id, scope, period, state, expires_at: expiresAt } = report;
  const isReady = state === "ready";
  return (
    <>
      <PageHead
        title={scope.name ?? t.intelReports.untitled}
        detail={
          <>
            {t.intelReports.of(t.intelReports.scopes[scope.type] ?? scope.type, periodText(period))}
            {expiresAt && (
              <>
                {" "}
                {t.intelReports.keptUntil} <Time at={expiresAt} />
              </>
            )}
          </>
        }
        above={
          <Link to="/intel/reports" className="link">
            {t.intelReports.title}
          </Link>
        }
      >
        {isReady && <ReportActions report={report} />}
      </PageHead>
      {isReady ? (
        <>
          <ReportLinks reportId={id} />
          <Page report={report} />
        </>
      ) : (
        <Waiting report={report} />
      )}
    </>
  );
}

/** The report in a frame of its own origin, as the recipient of a link sees it. */
function Page({ report: { id } }: { readonly report: Report }) {
  const query = useQuery(reportPageQuery(id));
  return (
    <StateView query={query}>
      {(isReady) =>
        isReady ? (
          <section className="stack small-gap" aria-label={t.intelReports.frame}>
            <p className="faint tight">{t.intelReports.frameDetail}</p>
            <MailHtml address={reportAddress(id, "html")} title={t.intelReports.frame} />
          </section>
        ) : (
          <Pending />
        )
      }
    </StateView>
  );
}

/** A report that a job creates, or that it could not create. */
function Waiting({ report }: { readonly report: Report }) {
  const { state, progress, reason, reason_parts: parts } = report;
  if (!isInProgress(report))
    return (
      <Answer tone="bad">
        <p role="status">
          <b>{state === "cancelled" ? t.intelReports.cancelled : t.intelReports.failed}</b>
        </p>
        {reason && <p>{sentenceText(parts, reason)}</p>}
      </Answer>
    );
  return (
    <Answer tone="info">
      <p role="status">
        <b>
          {state === "queued"
            ? t.intelReports.queued
            : t.intelReports.running(progress?.done, progress?.total)}
        </b>
      </p>
      <Progress
        value={progress && progress.total > 0 ? (progress.done / progress.total) * 100 : 5}
        animated
        aria-label={t.intelReports.progress}
      />
      <p>{t.intelReports.waitDetail}</p>
    </Answer>
  );
}
