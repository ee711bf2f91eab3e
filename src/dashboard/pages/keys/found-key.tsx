import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Key, keyQuery, offeredKeysQuery } from "../../api/keys.ts";
import { FoundSelect } from "../../parts/found-select.tsx";
import { nameOf } from "./name-of.ts";

interface FoundKeyProps {
  readonly label: string;
  /** Missing: the field is a filter, and its name is inside. */
  readonly description?: string;
  readonly placeholder: string;
  /** The keys that are offered: all, or those that can send alerts. */
  readonly use: "any" | "alerts";
  /** Id of the picked key. */
  readonly value: string | undefined;
  readonly onPick: (keyId: string | undefined) => void;
}

/** Picks a key by a part of its name, or the beginning of its id or prefix. */
export function FoundKey({ label, description, placeholder, use, value, onPick }: FoundKeyProps) {
  const [text, setText] = useState("");
  const found = useQuery({ ...offeredKeysQuery(text, use), placeholderData: keepPreviousData });
  const picked = useQuery({ ...keyQuery(value ?? ""), enabled: value !== undefined });
  const other = picked.isPending ? "…" : (value ?? "");
  return (
    <FoundSelect
      name={label}
      {...(description ? { label, description } : { className: "pick-field" })}
      placeholder={placeholder}
      options={found.data?.rows.map((key) => ({ value: key.id, label: textOf(key) }))}
      chosen={value === undefined ? undefined : { value, label: picked.data ? textOf(picked.data) : other }}
      error={found.error}
      onSearch={setText}
      onPick={onPick}
    />
  );
}

const textOf = (key: Key) => `${nameOf(key)} (${key.prefix}…)`;
