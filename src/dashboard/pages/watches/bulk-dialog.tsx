import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type BulkWatchAction,
  beginWatchBulk,
  type WatchSelection,
  watchCountQuery,
} from "../../api/watch-bulk.ts";
import { BeginBulk } from "../../parts/begin-bulk.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";

interface BulkDialogProps {
  readonly action: BulkWatchAction;
  readonly selection: WatchSelection;
  readonly workspace: string | undefined;
  readonly onClose: () => void;
}

/** Counts the domains of a bulk action, asks for confirmation, and starts the job. A move asks for the client first. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, workspace, onClose } = props;
  const [picked, setPicked] = useState<string>();
  const [client, setClient] = useState<string>();
  if (action === "move" && client === undefined)
    return (
      <FormDialog
        title={t.watches.bulk.move}
        detail={t.watches.moveDetail}
        action={t.watches.continue}
        isPending={false}
        error={null}
        onSubmit={() => setClient(picked)}
        onClose={onClose}
      >
        <ClientPick label={t.watches.newClient} workspace={workspace} value={picked} onPick={setPicked} />
      </FormDialog>
    );
  return <Confirmation {...props} client={client} />;
}

function Confirmation({
  action,
  selection,
  workspace,
  client,
  onClose,
}: BulkDialogProps & { readonly client: string | undefined }) {
  const bulk = {
    action,
    selection,
    ...(workspace && { workspace_id: workspace }),
    ...(client && { client_id: client }),
  };
  const words = t.watches.bulk[action];
  return (
    <BeginBulk
      title={words}
      count={useQuery(watchCountQuery(bulk))}
      begin={(confirmation) => beginWatchBulk(bulk, confirmation)}
      countText={({ actionable }) => <b>{t.watches.meant(actionable)}</b>}
      itemText={({ id: name }) => name}
      frozen={"filter" in selection ? t.watches.frozen : undefined}
      beginText={(count) => t.watches.begin(words, count)}
      onClose={onClose}
    />
  );
}
