import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { removeOverride } from "../../api/oncalls.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface RemoveOverrideProps {
  /** Name of the schedule. */
  readonly name: string;
  readonly overrideId: string;
  readonly hasBegun: boolean;
  readonly onClose: () => void;
}

/** Removes an override after a question, or ends it if it has begun. */
export function RemoveOverride({ name, overrideId, hasBegun, onClose }: RemoveOverrideProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeOverride(name, overrideId),
    onSuccess: async () => {
      notifications.show({ message: t.onCall.overrideRemoved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
      onClose();
    },
  });
  return (
    <Confirm
      title={t.onCall.removeOverride}
      detail={hasBegun ? t.onCall.endOverrideDetail : t.onCall.removeOverrideDetail}
      action={t.onCall.removeOverride}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
