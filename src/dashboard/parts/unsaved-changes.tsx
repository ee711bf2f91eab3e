import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "./confirm.tsx";

interface UnsavedChangesProps {
  /** Whether leaving the page would lose input. */
  readonly isDirty: boolean;
  /** Whether other tabs of the same page lose the input too. Otherwise they keep it. */
  readonly isOfTab?: boolean;
  readonly title: string;
  readonly detail: string;
  readonly action: string;
}

/** Asks before the user leaves a page with unsaved input. */
export function UnsavedChanges({ isDirty, isOfTab = false, title, detail, action }: UnsavedChangesProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname ||
      (isOfTab && JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Confirm
      title={title}
      detail={detail}
      action={action}
      isPending={false}
      error={null}
      onConfirm={proceed}
      onClose={reset}
    />
  );
}
