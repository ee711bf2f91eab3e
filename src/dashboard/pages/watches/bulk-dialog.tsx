import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  beginWatchBulk,
  type WatchChange,
  type WatchSelection,
  watchCountQuery,
} from "../../api/watch-bulk.ts";
import { BeginBulk } from "../../parts/begin-bulk.tsx";
import { t } from "../../texts/texts.ts";
import { MoveForm, NoteForm, TagForm } from "./bulk-forms.tsx";
import { MuteForm } from "./bulk-mute.tsx";

/** Actions on many domains, in the order of their buttons. Some have a form, with its action as the first choice. */
export const bulkTasks = ["pause", "resume", "move", "tag", "note", "mute", "remove"] as const;
export type BulkTask = (typeof bulkTasks)[number];

const forms = { move: MoveForm, tag: TagForm, note: NoteForm, mute: MuteForm } as const;

interface BulkDialogProps {
  readonly task: BulkTask;
  readonly selection: WatchSelection;
  readonly workspace: string | undefined;
  readonly onClose: () => void;
}

/** A change with its values as text. */
interface Asked {
  readonly change: WatchChange;
  readonly summary?: string | undefined;
}

/** Asks for the values of a bulk action, counts its domains, asks for confirmation, and starts the job. */
export function BulkDialog({ task, ...others }: BulkDialogProps) {
  const [asked, setAsked] = useState<Asked>();
  const { workspace, onClose } = others;
  if (task === "pause" || task === "resume") return <Confirmation change={{ action: task }} {...others} />;
  if (task === "remove")
    return <Confirmation change={{ action: task }} summary={t.watches.removeManyDetail} {...others} />;
  if (asked) return <Confirmation {...asked} {...others} />;
  const Form = forms[task];
  return (
    <Form
      workspace={workspace}
      onAsk={(change, summary) => setAsked({ change, summary })}
      onClose={onClose}
    />
  );
}

function Confirmation({
  change,
  summary,
  selection,
  workspace,
  onClose,
}: Omit<BulkDialogProps, "task"> & Asked) {
  const bulk = { ...change, selection, ...(workspace && { workspace_id: workspace }) };
  const words = t.jobs.actions[change.action] ?? change.action;
  return (
    <BeginBulk
      title={words}
      detail={summary}
      count={useQuery(watchCountQuery(bulk))}
      begin={(confirmation) => beginWatchBulk(bulk, confirmation)}
      countText={({ actionable }) => <b>{t.watches.meant(actionable)}</b>}
      itemText={({ id: name }) => name}
      frozen={"filter" in selection ? t.watches.frozen : undefined}
      beginText={(count) => t.watches.begin(words, count)}
      {...(change.action === "remove" && { color: "red" })}
      onClose={onClose}
    />
  );
}
