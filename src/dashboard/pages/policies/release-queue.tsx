import { useQueryClient } from "@tanstack/react-query";
import { type PolicyHold, releasePolicyQueue } from "../../api/policies.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { destinationText } from "./holds.tsx";

interface ReleaseQueueProps {
  readonly name: string;
  readonly hold: PolicyHold;
  readonly onClose: () => void;
}

/** Releases a hold. Due messages are sent then. */
export function ReleaseQueue({ name, hold, onClose }: ReleaseQueueProps) {
  const queryClient = useQueryClient();
  const release = useMutation({
    mutationFn: () => releasePolicyQueue(name, hold.destination),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["policies", "queue", name] }),
        queryClient.invalidateQueries({ queryKey: ["attention"] }),
      ]);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.policies.releaseTitle(destinationText(hold))}
      detail={t.policies.releaseDetail}
      action={t.policies.release}
      isPending={release.isPending}
      error={release.error}
      onSubmit={() => release.mutate()}
      onClose={onClose}
    />
  );
}
