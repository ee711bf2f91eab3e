import { Select } from "@mantine/core";
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { assignIncident, type Incident } from "../../api/incidents.ts";
import { membersQuery } from "../../api/members.ts";
import { rowsOf } from "../../api/pages.ts";
import { sessionQuery } from "../../api/session.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface AssignProps {
  readonly incident: Incident;
  readonly onClose: () => void;
}

/** Sets the member who works on an incident. The user is offered first; other members need the right to see them. */
export function Assign({ incident: { id, assignee }, onClose }: AssignProps) {
  const queryClient = useQueryClient();
  const may = useMay();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const members = useInfiniteQuery({ ...membersQuery, enabled: may("members.read") });
  const [chosen, setChosen] = useState(assignee?.email ?? session.email);
  const assign = useMutation({
    mutationFn: (member: string | null) => assignIncident(id, member),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
      onClose();
    },
  });
  const known = [
    session.email,
    ...(assignee ? [assignee.email] : []),
    ...rowsOf(members.data).map(({ email }) => email),
  ];
  return (
    <FormDialog
      title={t.incidents.assign}
      detail={t.incidents.assignDetail}
      action={t.incidents.assign}
      isPending={assign.isPending}
      error={assign.error}
      onSubmit={() => assign.mutate(chosen || null)}
      onClose={onClose}
    >
      <Select
        label={t.incidents.assignee}
        searchable
        allowDeselect={false}
        data={[{ value: "", label: t.incidents.nobody }, ...new Set(known)]}
        value={chosen}
        onChange={(value) => setChosen(value ?? "")}
      />
    </FormDialog>
  );
}
