import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { addIncidentNote, incidentQuery } from "../../api/incidents.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Adds a note for the members of the account. */
export function AddNote({ incidentId }: { readonly incidentId: string }) {
  const [text, setText] = useState("");
  const queryClient = useQueryClient();
  const may = useMay();
  const add = useMutation({
    mutationFn: (note: string) => addIncidentNote(incidentId, note),
    onSuccess: async () => {
      setText("");
      await queryClient.invalidateQueries({ queryKey: incidentQuery(incidentId).queryKey });
    },
  });
  if (!may("incidents.write")) return null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    add.mutate(text.trim());
  }

  return (
    <form className="stack" onSubmit={submit}>
      <Textarea
        label={t.incidents.note}
        description={t.incidents.noteDetail}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={4_000}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <FormFault error={add.error} />
      <div>
        <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ""}>
          {t.incidents.addNote}
        </Button>
      </div>
    </form>
  );
}
