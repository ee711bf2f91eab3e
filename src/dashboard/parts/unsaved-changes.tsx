import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "./confirm.tsx";

interface UnsavedChangesProps {
  /** Whether leaving the page would lose input. */
  readonly isDirty: boolean;
  readonly title: string;
  readonly detail: string;
  readonly action: string;
}

/** Asks before the user leaves a page with unsaved input. Other tabs of the same page keep it. */
export function UnsavedChanges({ isDirty, title, detail, action }: UnsavedChangesProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
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
