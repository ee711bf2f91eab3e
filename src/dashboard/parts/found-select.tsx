import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { t } from "../texts/texts.ts";
import { detailOf } from "./problem-notice.tsx";

interface Option {
  readonly value: string;
  readonly label: string;
}

interface FoundSelectProps
  extends Pick<SelectProps, "label" | "description" | "placeholder" | "required" | "className"> {
  /** Name of the field, also if it has no visible label. */
  readonly name: string;
  /** Entries that the server found for the typed text. */
  readonly options: readonly Option[] | undefined;
  /** The picked entry, which the typed text may not find. */
  readonly chosen: Option | undefined;
  /** The reason why the entries could not be found, or why the picked one was refused. */
  readonly error?: Error | string | null | undefined;
  /** Called shortly after the last key. */
  readonly onSearch: (text: string) => void;
  readonly onPick: (value: string | undefined) => void;
}

const TYPING_MS = 250;

/** A field that picks one of many entries, which the server finds by the typed text. */
export function FoundSelect(props: FoundSelectProps) {
  const { name, label, options, chosen, error, onSearch, onPick, ...others } = props;
  const search = useDebouncedCallback(onSearch, TYPING_MS);
  const isListed = chosen === undefined || options?.some(({ value }) => value === chosen.value);
  const data = isListed ? (options ?? []) : [chosen, ...(options ?? [])];
  return (
    <Select
      {...others}
      {...(label ? { label } : { "aria-label": name })}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t.common.clear(name) }}
      nothingFoundMessage={options === undefined ? t.common.loading : t.shell.nothingFound}
      data={data.map(({ value, label: words }) => ({ value, label: words }))}
      // The server has filtered the entries.
      filter={({ options: found }) => found}
      value={chosen?.value ?? null}
      error={error instanceof Error ? detailOf(error) : error}
      // A closed field shows the picked entry, which is no search.
      onSearchChange={(text) => search(text === chosen?.label ? "" : text.trim())}
      onChange={(picked) => onPick(picked ?? undefined)}
    />
  );
}
