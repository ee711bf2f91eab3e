import { useQuery } from "@tanstack/react-query";
import {
  type BulkActionName,
  type BulkCount,
  type BulkSelection,
  beginBulk,
  bulkCountQuery,
} from "../../api/messages.ts";
import { BeginBulk } from "../../parts/begin-bulk.tsx";
import { t } from "../../texts/texts.ts";

interface BulkDialogProps {
  readonly action: BulkActionName;
  readonly selection: BulkSelection;
  readonly onClose: () => void;
}

/** Counts the messages of a bulk action, asks for confirmation, and starts the job. */
export function BulkDialog({ action, selection, onClose }: BulkDialogProps) {
  const words = t.jobs.actions[action] ?? action;
  return (
    <BeginBulk
      title={words}
      count={useQuery(bulkCountQuery(action, selection))}
      begin={(confirmation) => beginBulk(action, selection, confirmation)}
      countText={(counted) => (
        <>
          <b>{t.jobs.confirm.meant(counted.count, counted.has_more)}</b> {possibleText(words, counted)}
        </>
      )}
      itemText={({ recipient, subject }) => (
        <>
          {recipient} <span className="muted">{subject || t.messages.noSubject}</span>
        </>
      )}
      frozen={"filter" in selection ? t.jobs.confirm.frozen : undefined}
      beginText={(count) => t.jobs.confirm.begin(words, count)}
      color={action === "cancel" ? "red" : "accent"}
      onClose={onClose}
    />
  );
}

function possibleText(action: string, { count, actionable, has_more }: BulkCount): string {
  if (actionable === 0) return t.jobs.confirm.none(action);
  const isAll = actionable === count && !has_more;
  return isAll ? t.jobs.confirm.all(action) : t.jobs.confirm.possible(action, actionable);
}
