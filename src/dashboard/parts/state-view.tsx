import { Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";
import { ProblemNotice } from "./problem-notice.tsx";

/** The part of a query, of either kind, that the view needs. */
interface Shown<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: (options: { readonly cancelRefetch: boolean }) => unknown;
}

interface StateViewProps<Data> {
  readonly query: Shown<Data>;
  readonly children: (data: Data) => ReactNode;
  /**
   * The children without data, for a view above a list. Their space is reserved while data is loading: a row that moves
   * between the press and the release of the pointer misses the click.
   */
  readonly shape?: ReactNode;
  /** Shown instead of the children if the data is empty. */
  readonly empty?: { readonly when: (data: Data) => boolean; readonly view: ReactNode };
}

/**
 * The only way in which pages show a query: loading, failed, forbidden, missing, empty, or its data. If a reload fails, the
 * shown data stays, with the fault above it.
 */
export function StateView<Data>({ query, children, shape, empty }: StateViewProps<Data>) {
  const { data, error, refetch } = query;
  // A second press joins the request of the first.
  const retry = () => void refetch({ cancelRefetch: false });
  const problem = error && <ProblemNotice error={error} retry={retry} />;
  if (data === undefined) return problem ?? (shape ? <Reserved>{shape}</Reserved> : <Pending />);
  return (
    <>
      {problem}
      {empty?.when(data) ? empty.view : children(data)}
    </>
  );
}

function Reserved({ children }: { readonly children: ReactNode }) {
  return (
    <div className="reserved">
      <div>{children}</div>
      <Pending />
    </div>
  );
}

interface Enabled extends Shown<unknown> {
  readonly isEnabled: boolean;
}

/** Whether a page has all requested data, so that it can report that there is nothing. */
export const areLoaded = (queries: readonly Enabled[]) =>
  queries.every(({ data, isEnabled }) => data !== undefined || !isEnabled);

/** A note beside the results of several queries: the first fault, or that some data is still missing. */
export function StateOfAll({ queries }: { readonly queries: readonly Enabled[] }) {
  const failed = queries.filter(({ error }) => error !== null);
  const [first] = failed;
  const retry = () => {
    for (const { refetch } of failed) void refetch({ cancelRefetch: false });
  };
  if (first?.error) return <ProblemNotice error={first.error} retry={retry} />;
  return areLoaded(queries) ? null : <Pending />;
}

/** Shown while data is loading. */
export function Pending() {
  return (
    <div className="notice" role="status">
      <Loader size="sm" aria-hidden="true" />
      <span className="muted">{t.common.loading}</span>
    </div>
  );
}
