import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeSuppression, type Suppression } from "../../api/suppressions.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Removes an entry, and reports the mail that is sent again. */
export function RemoveSuppression({ entry: { id, address } }: { readonly entry: Suppression }) {
  const queryClient = useQueryClient();
  const may = useMay();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeSuppression(id),
    onSuccess: async ({ notice }) => {
      setAsked(false);
      notifications.show({ message: notice, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["suppressions"] });
    },
  });
  if (!may("suppressions.write")) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t.suppressions.removeTitle(address)}
        onClick={() => setAsked(true)}
      >
        {t.suppressions.remove}
      </Button>
      {isAsked && (
        <Confirm
          title={t.suppressions.removeTitle(address)}
          detail={t.suppressions.removeDetail}
          action={t.suppressions.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
