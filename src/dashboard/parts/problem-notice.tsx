import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Problem } from "../api/problem.ts";
import { faultText } from "../texts/fault-text.ts";
import { t } from "../texts/texts.ts";

/** Shows the reason of a failure with its trace id for the logs, and a button to retry. */
export function ProblemNotice({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div className="notice" role="alert">
      <strong>{titleOf(problem)}</strong>
      <p className="muted">{detailOf(error)}</p>
      <FieldFaults problem={problem} />
      {problem?.retryAfterS !== undefined && (
        <p className="muted">{t.problem.retryIn(problem.retryAfterS)}</p>
      )}
      <TraceId problem={problem} />
      {retry && problem?.status !== 403 && problem?.status !== 404 && (
        <Button variant="default" onClick={retry}>
          {t.common.retry}
        </Button>
      )}
    </div>
  );
}

function titleOf(problem: Problem | undefined): string {
  if (problem?.status === 403) return t.problem.forbidden;
  if (problem?.status === 404) return t.problem.notFound;
  return t.problem.title;
}

/** The faults of single fields, which a page without a form shows together. */
export function FieldFaults({ problem }: { readonly problem: Problem | undefined }) {
  return problem?.errors.map((fault) => (
    <p key={`${fault.pointer} ${fault.message}`} className="muted">
      {faultText(fault, fault.message)}
    </p>
  ));
}

/** Shows the trace id of the request, if its response has one. */
export function TraceId({ problem }: { readonly problem: Problem | undefined }) {
  if (!problem || problem.traceId === "") return null;
  return (
    <p className="faint">
      {t.problem.trace}: <span className="mono">{problem.traceId}</span>
    </p>
  );
}

/** Shows beside the page why an action of the user was refused. */
export function notifyProblem(error: Error): void {
  notifications.show({ color: "red", message: detailOf(error), role: "alert" });
}

/** The sentence for a failed request. */
export function detailOf(error: Error): string {
  if (!(error instanceof Problem)) return error.message;
  if (error.code === "network") return t.problem.network;
  if (error.code === "unreadable_answer") return t.problem.unreadable(error.status);
  return faultText(error.document ?? error, error.message);
}
