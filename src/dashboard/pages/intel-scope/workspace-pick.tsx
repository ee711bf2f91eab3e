import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workspacesQuery } from "../../api/workspaces.ts";
import { t } from "../../texts/texts.ts";

interface WorkspacePickProps {
  /** Id of the workspace; undefined: the first one. */
  readonly value: string | undefined;
  /** Called with undefined for the first workspace. */
  readonly onPick: (value: string | undefined) => void;
}

/** Picks a workspace, if the account has several. */
export function WorkspacePick({ value, onPick }: WorkspacePickProps) {
  const { data } = useQuery(workspacesQuery);
  const all = data?.data ?? [];
  const [first] = all;
  if (first === undefined || all.length < 2) return null;
  return (
    <Select
      aria-label={t.intelScope.workspace}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      allowDeselect={false}
      value={value ?? first.id}
      onChange={(picked) => onPick(picked === null || picked === first.id ? undefined : picked)}
      className="pick-field"
    />
  );
}
