import { Button, Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";
import { MissingPart, reloadPage } from "../../api/page-version.ts";
import { Problem } from "../../api/problem.ts";
import { CopyAction } from "../../parts/copy-action.tsx";
import { notifyProblem, ProblemNotice } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "../session/entry-page.tsx";

const MAX_STACK_LINES = 12;

/** Whether the frame of all pages surrounds the component. */
export const IsInFrame = createContext(false);

/** Shown instead of a page that failed to load or to render. The navigation stays. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const tryAgain = () => {
    // The page may have failed because of the loaded data.
    queryClient.removeQueries({ type: "inactive" });
    // The route loads again: rendering alone would fail again.
    void router.invalidate().finally(reset);
  };
  const reload = () => void reloadPage().catch(notifyProblem);
  if (error instanceof Problem)
    return (
      <Content>
        <div className="card">
          <ProblemNotice error={error} retry={tryAgain} />
        </div>
        <WayBack />
      </Content>
    );
  if (error instanceof MissingPart)
    return (
      <Content>
        <h1>{t.shell.missingPart}</h1>
        <p className="muted">{t.shell.missingPartDetail}</p>
        <Group>
          <Button onClick={reload}>{t.shell.reload}</Button>
          <WayBack />
        </Group>
      </Content>
    );
  const report = reportOf(error);
  return (
    <Content>
      <h1>{t.shell.crashed}</h1>
      <p className="muted">{t.shell.crashedDetail}</p>
      <Group>
        <Button onClick={tryAgain}>{t.common.retry}</Button>
        <Button variant="default" onClick={reload}>
          {t.shell.reload}
        </Button>
        <WayBack />
      </Group>
      <p>{t.shell.crashedReport}</p>
      <pre className="smtp wrapped">{report}</pre>
      <div>
        <CopyAction value={report} label={t.shell.report} />
      </div>
    </Content>
  );
}

/** Shown for an address without a page. */
export function NotFound() {
  const isInFrame = useContext(IsInFrame);
  if (!isInFrame)
    return (
      <EntryPage title={t.shell.pageNotFound} detail={t.shell.pageNotFoundDetail}>
        <WayBack />
      </EntryPage>
    );
  return (
    <>
      <h1>{t.shell.pageNotFound}</h1>
      <p className="muted">{t.shell.pageNotFoundDetail}</p>
      <WayBack />
    </>
  );
}

function WayBack() {
  return (
    <Link to="/" className="link">
      {t.shell.toOverview}
    </Link>
  );
}

/** Below the frame of all pages, which already has a `main`, or as a separate page. */
function Content({ children }: { readonly children: ReactNode }) {
  if (useContext(IsInFrame)) return children;
  return (
    <main className="page" id="content">
      {children}
    </main>
  );
}

/** Report with which the maintainers find the fault. It has only the path, because the rest of the address can be private. */
function reportOf(error: unknown): string {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const script = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
  return [
    `${name}: ${message}`,
    `${t.shell.reportPath}: ${window.location.pathname}`,
    `${t.shell.reportTime}: ${new Date().toISOString()}`,
    `${t.shell.reportVersion}: ${script}`,
    `${t.shell.reportBrowser}: ${navigator.userAgent}`,
    ...stack.split("\n").slice(0, MAX_STACK_LINES),
  ].join("\n");
}
