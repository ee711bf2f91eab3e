import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { foundClientsQuery, pickedClientQuery } from "../../api/workspaces.ts";
import { FoundSelect } from "../../parts/found-select.tsx";
import { t } from "../../texts/texts.ts";

export interface PickProps {
  /** Id of the workspace; undefined: the first one. */
  readonly workspace: string | undefined;
  /** Id of the picked entry. */
  readonly value: string | undefined;
  /** Shown above the field; missing: the field is a filter, and its name is inside. */
  readonly label?: string;
  /** Name of a field that opens the picked entry; missing: the field is a filter. */
  readonly action?: string;
  readonly fault?: string | undefined;
  readonly onPick: (value: string | undefined) => void;
}

/** Picks a client of a workspace by its name. */
export function ClientPick({ workspace, value, label, action, fault, onPick }: PickProps) {
  const [text, setText] = useState("");
  const found = useQuery(foundClientsQuery(workspace, text));
  const picked = useQuery({ ...pickedClientQuery(value ?? ""), enabled: value !== undefined });
  return (
    <FoundSelect
      name={action ?? t.intelScope.client}
      {...(label ? { label, required: true } : { className: "pick-field" })}
      placeholder={label ? t.intelScope.findClient : (action ?? `${t.intelScope.client}: ${t.common.any}`)}
      options={found.data?.data.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={
        value === undefined
          ? undefined
          : { value, label: picked.data?.name ?? (picked.isPending ? "…" : value) }
      }
      error={fault ?? found.error}
      onSearch={setText}
      onPick={onPick}
    />
  );
}
