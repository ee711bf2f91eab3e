import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { foundWatchesQuery, pickedWatchQuery } from "../../api/watches.ts";
import { FoundSelect } from "../../parts/found-select.tsx";
import { t } from "../../texts/texts.ts";
import type { PickProps } from "./client-pick.tsx";

/** Picks a watched domain of a workspace by its name. */
export function DomainPick({ workspace, value, label, fault, onPick }: PickProps) {
  const [text, setText] = useState("");
  const found = useQuery(foundWatchesQuery(workspace, text));
  const picked = useQuery({ ...pickedWatchQuery(value ?? ""), enabled: value !== undefined });
  return (
    <FoundSelect
      name={t.intelScope.domain}
      {...(label ? { label, required: true } : { className: "pick-field" })}
      placeholder={label ? t.intelScope.findDomain : `${t.intelScope.domain}: ${t.common.any}`}
      options={found.data?.data.map(({ id, name_unicode: name }) => ({ value: id, label: name }))}
      chosen={
        value === undefined
          ? undefined
          : { value, label: picked.data?.name_unicode ?? (picked.isPending ? "…" : value) }
      }
      error={fault ?? found.error}
      onSearch={setText}
      onPick={onPick}
    />
  );
}
