import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { Problem } from "../../api/problem.ts";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "../session/entry-page.tsx";

/** Stands in for a page that failed to load or to render. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // The route loads again: showing it once more would only show its fault.
  const retry = () => void router.invalidate().finally(reset);
  if (error instanceof Problem)
    return (
      <main className="page" id="content">
        <div className="card">
          <ProblemNotice error={error} retry={retry} />
        </div>
      </main>
    );
  return (
    <main className="page" id="content">
      <h1>{t.shell.crashed}</h1>
      <p className="muted">{t.shell.crashedDetail}</p>
      <div>
        <Button onClick={() => window.location.reload()}>{t.shell.reload}</Button>
      </div>
    </main>
  );
}

/** Stands in for an address without a page. */
export function NotFound() {
  return (
    <EntryPage title={t.shell.pageNotFound} detail={t.shell.pageNotFoundDetail}>
      <Link to="/" className="link">
        {t.shell.toOverview}
      </Link>
    </EntryPage>
  );
}
