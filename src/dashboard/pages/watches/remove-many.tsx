import { notifications } from "@mantine/notifications";
import { type ListedWatch, removeWatch } from "../../api/watches.ts";
import { t } from "../../texts/texts.ts";
import { EachDialog } from "./each-dialog.tsx";

interface ManyProps {
  readonly watches: readonly ListedWatch[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Stops watching the selected domains after a question. A domain that a schedule or a rule uses stays. */
export function RemoveMany({ watches, onDone, onClose }: ManyProps) {
  return (
    <EachDialog
      title={t.watches.bulk.remove}
      detail={t.watches.removeDetail}
      action={t.watches.begin(t.watches.bulk.remove, watches.length)}
      color="red"
      watches={watches}
      change={({ id, revision }) => removeWatch(id, revision, false)}
      onDone={() => {
        notifications.show({ message: t.watches.removedMany(watches.length), role: "status" });
        onDone();
      }}
      onClose={onClose}
    />
  );
}
