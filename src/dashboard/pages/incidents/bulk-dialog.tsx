import { useQuery } from "@tanstack/react-query";
import {
  type BulkIncidentAction,
  beginBulkIncidents,
  type IncidentSelection,
  incidentCountQuery,
} from "../../api/incidents.ts";
import { BeginBulk } from "../../parts/begin-bulk.tsx";
import { t } from "../../texts/texts.ts";

interface BulkDialogProps {
  readonly action: BulkIncidentAction;
  readonly selection: IncidentSelection;
  readonly onClose: () => void;
}

/** Counts the incidents of a bulk action, asks for confirmation, and starts the job. */
export function BulkDialog({ action, selection, onClose }: BulkDialogProps) {
  const words = t.incidents.actions[action];
  return (
    <BeginBulk
      title={words}
      count={useQuery(incidentCountQuery(action, selection))}
      begin={(confirmation) => beginBulkIncidents(action, selection, confirmation)}
      countText={({ count, has_more: hasMore, actionable }) => (
        <>
          <b>{t.incidents.meant(count, hasMore)}</b> {t.incidents.possible(words, actionable)}
        </>
      )}
      itemText={({ title }) => title}
      frozen={"filter" in selection ? t.incidents.frozen : undefined}
      beginText={(count) => t.incidents.begin(words, count)}
      onClose={onClose}
    />
  );
}
