import { Checkbox } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { exportAccount } from "../../api/accounts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Has the browser save the account as a file. */
export function ExportAccount({ onClose }: { readonly onClose: () => void }) {
  const [hasBodies, setBodies] = useState(false);
  const download = useMutation({
    mutationFn: exportAccount,
    onSuccess: (hasBegun) => {
      if (!hasBegun) return;
      notifications.show({ message: t.account.exportStarted, role: "status" });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.account.exportTitle}
      detail={t.account.exportHow}
      action={t.account.export}
      isPending={download.isPending}
      error={download.error}
      onSubmit={() => download.mutate(hasBodies)}
      onClose={onClose}
    >
      <Checkbox
        label={t.account.exportBodies}
        description={t.account.exportBodiesDetail}
        checked={hasBodies}
        onChange={(event) => setBodies(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
