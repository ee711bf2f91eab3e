import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";
import { SearchField } from "./search-field.tsx";

interface FilterBarProps {
  /** The filters in the address, by name. */
  readonly filter: object;
  readonly search: Omit<Parameters<typeof SearchField>[0], "key">;
  /** Menus and active filters behind the search field. */
  readonly children: ReactNode;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** The filters of a list, with a button that clears them. */
export function FilterBar({ filter, search, children, onClear }: FilterBarProps) {
  const [clears, setClears] = useState(0);
  return (
    <search className="row">
      {/* A cleared filter empties the field. */}
      <SearchField key={clears} {...search} />
      {children}
      {Object.values(filter).some(Boolean) && (
        <Button variant="subtle" size="xs" onClick={() => void onClear().then(() => setClears(clears + 1))}>
          {t.common.clearFilters}
        </Button>
      )}
    </search>
  );
}
