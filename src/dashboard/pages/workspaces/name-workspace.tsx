import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createWorkspace, renameWorkspace, type Workspace, workspacesQuery } from "../../api/workspaces.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface NameWorkspaceProps {
  /** Workspace to rename; missing: a new one. */
  readonly workspace?: Workspace;
  readonly onClose: () => void;
}

/** Creates a workspace, or renames one. */
export function NameWorkspace({ workspace, onClose }: NameWorkspaceProps) {
  const [name, setName] = useState(workspace?.name ?? "");
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (given: string) =>
      workspace ? renameWorkspace(workspace.id, given, workspace.revision) : createWorkspace(given),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={workspace ? t.workspaces.rename : t.workspaces.create}
      {...(!workspace && { detail: t.workspaces.createDetail })}
      action={workspace ? t.workspaces.rename : t.workspaces.createAction}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={t.workspaces.name}
        description={t.workspaces.nameDetail}
        data-autofocus
        required
        maxLength={100}
        autoComplete="off"
        error={save.error ? fieldFaults(save.error).name : undefined}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
    </FormDialog>
  );
}
