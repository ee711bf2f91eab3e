import { SegmentedControl, TagsInput, Textarea } from "@mantine/core";
import { useState } from "react";
import type { WatchChange } from "../../api/watch-bulk.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";

export interface BulkFormProps {
  readonly workspace: string | undefined;
  /** @param summary the values of the change, for the confirmation */
  readonly onAsk: (change: WatchChange, summary?: string) => void;
  readonly onClose: () => void;
}

/** Values of every form of a bulk action: the count of the domains comes after it. */
export const dialogOf = (detail: string, onSubmit: () => void, onClose: () => void) => ({
  detail,
  action: t.watches.continue,
  isPending: false,
  error: null,
  onSubmit,
  onClose,
});

/** Picks the client that the domains move to. */
export function MoveForm({ workspace, onAsk, onClose }: BulkFormProps) {
  const [client, setClient] = useState<string>();
  const submit = () => client !== undefined && onAsk({ action: "move", client_id: client });
  return (
    <FormDialog title={t.watches.bulk.move} {...dialogOf(t.watches.moveDetail, submit, onClose)}>
      <ClientPick label={t.watches.newClient} workspace={workspace} value={client} onPick={setClient} />
    </FormDialog>
  );
}

const tagActions = ["tag", "untag"] as const;

/** Asks for the tags that are added or removed. */
export function TagForm({ onAsk, onClose }: BulkFormProps) {
  const [action, setAction] = useState<(typeof tagActions)[number]>("tag");
  const [tags, setTags] = useState<readonly string[]>([]);
  const [isTried, setTried] = useState(false);
  const submit = () => (tags.length === 0 ? setTried(true) : onAsk({ action, tags }, tags.join(", ")));
  return (
    <FormDialog title={t.watches.bulk.tag} {...dialogOf(t.watches.tagDetail, submit, onClose)}>
      <SegmentedControl
        aria-label={t.watches.bulk.tag}
        data={tagActions.map((value) => ({ value, label: t.jobs.actions[value] ?? value }))}
        value={action}
        onChange={(value) => setAction(value as typeof action)}
      />
      <TagsInput
        label={t.watches.tags}
        description={t.watches.tagsDetail}
        data-autofocus
        maxTags={20}
        splitChars={[","]}
        error={isTried && tags.length === 0 ? t.watches.tagMissing : undefined}
        value={[...tags]}
        onChange={setTags}
      />
    </FormDialog>
  );
}

/** Asks for the new notes of the domains. */
export function NoteForm({ onAsk, onClose }: BulkFormProps) {
  const [notes, setNotes] = useState("");
  const submit = () => onAsk({ action: "note", notes }, notes.trim() === "" ? t.watches.noNotes : notes);
  return (
    <FormDialog title={t.watches.bulk.note} {...dialogOf(t.watches.noteDetail, submit, onClose)}>
      <Textarea
        label={t.watches.notes}
        description={t.watches.notesDetail}
        data-autofocus
        maxLength={5_000}
        autosize
        minRows={3}
        maxRows={12}
        value={notes}
        onChange={({ currentTarget: { value } }) => setNotes(value)}
      />
    </FormDialog>
  );
}
