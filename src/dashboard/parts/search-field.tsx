import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { withoutSecret } from "./without-secret.ts";

interface SearchFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Value in the address. */
  readonly value: string | undefined;
  /** Called shortly after the last key; undefined if the field is empty. */
  readonly onSearch: (text: string | undefined) => void;
}

const TYPING_MS = 300;

/** A filter with free text. */
export function SearchField({ label, hint, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value ?? "");
  const search = useDebouncedCallback(
    (typed: string) => onSearch(withoutSecret(typed.trim()) || undefined),
    TYPING_MS,
  );
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={hint}
      value={text}
      className="search-field"
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      // A search that waits for the last key would return a user who has left for another page to this one.
      onBlur={search.flush}
    />
  );
}
