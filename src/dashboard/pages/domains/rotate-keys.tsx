import { Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { domainQuery, rotateDomain } from "../../api/domains.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Creates the next DKIM keys of a domain, with time to publish their records. */
export function RotateKeys({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState("48");
  const rotate = useMutation({
    mutationFn: () => rotateDomain(name, Number(hours)),
    onSuccess: (found) => {
      queryClient.setQueryData(domainQuery(name).queryKey, found);
      onClose();
    },
  });

  return (
    <FormDialog
      title={t.domains.rotate}
      detail={t.domains.rotateDetail}
      action={t.domains.rotate}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <Select
        label={t.domains.rotateAfter}
        data={Object.entries(t.domains.rotateDelays)
          .map(([value, label]) => ({ value, label }))
          .toSorted((a, b) => Number(a.value) - Number(b.value))}
        value={hours}
        allowDeselect={false}
        onChange={(value) => value && setHours(value)}
      />
    </FormDialog>
  );
}
