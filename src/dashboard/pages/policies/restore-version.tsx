import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type Policy, policyQuery, restorePolicy } from "../../api/policies.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Differences } from "./compare-versions.tsx";

interface RestoreVersionProps {
  readonly policy: Policy;
  readonly version: number;
  /** Number of the present state; undefined if it is not loaded. */
  readonly current: number | undefined;
  readonly onClose: () => void;
}

/** Shows the changes of a restoration, and stores the version again. */
export function RestoreVersion({ policy, version, current, onClose }: RestoreVersionProps) {
  const { name, revision } = policy;
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: () => restorePolicy(name, revision, version),
    onSuccess: async (stored) => {
      queryClient.setQueryData(policyQuery(name).queryKey, stored);
      notifications.show({ message: t.policies.restored(version), role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["policies"] });
      onClose();
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void queryClient.invalidateQueries({ queryKey: ["policies"] }),
  });
  return (
    <FormDialog
      title={t.policies.restoreTitle(version)}
      size="lg"
      detail={t.policies.restoreDetail}
      action={t.policies.restore}
      isPending={restore.isPending}
      error={restore.error}
      onSubmit={() => restore.mutate()}
      onClose={onClose}
    >
      {current !== undefined && <Differences name={name} before={current} after={version} />}
    </FormDialog>
  );
}
