import { notifications } from "@mantine/notifications";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useMutation } from "./use-mutation.ts";

interface RestoreVersionProps {
  readonly version: number;
  /** The effects of the restoration. */
  readonly detail: string;
  /** Stores the version again. */
  readonly restore: () => Promise<unknown>;
  /** Beginning of the keys of all queries that the restoration changes. */
  readonly queryKey: QueryKey;
  readonly onClose: () => void;
  /** Shows the changes of the restoration, and fields for missing values. @param error of the last try */
  readonly children: (error: Error | null) => ReactNode;
}

/** Shows the changes of a restoration, and stores the version again. */
export function RestoreVersion(props: RestoreVersionProps) {
  const { version, detail, restore, queryKey, onClose, children } = props;
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey });
  const restoration = useMutation({
    mutationFn: () => restore(),
    onSuccess: async () => {
      notifications.show({ message: t.versions.restored(version), role: "status" });
      await reload();
      onClose();
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void reload(),
  });
  return (
    <FormDialog
      title={t.versions.restoreTitle(version)}
      size="lg"
      detail={detail}
      action={t.versions.restore}
      isPending={restoration.isPending}
      error={restoration.error}
      onSubmit={() => restoration.mutate()}
      onClose={onClose}
    >
      {children(restoration.error)}
    </FormDialog>
  );
}
