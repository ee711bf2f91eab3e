import { Menu } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { t } from "../../texts/texts.ts";
import { allColumns, defaultColumns, fixedColumns } from "./columns.tsx";

export type Density = "comfortable" | "compact";
const densities: readonly Density[] = ["comfortable", "compact"];

interface ListView {
  readonly columns: readonly string[];
  readonly density: Density;
}

/** Columns and density of the list, stored in this browser. */
export function useListView(): readonly [ListView, (view: ListView) => void] {
  const [stored, store] = useLocalStorage<ListView>({
    key: "hermod-message-list",
    defaultValue: { columns: defaultColumns, density: "comfortable" },
    getInitialValueInEffect: false,
    deserialize: (text) => readView(text),
  });
  return [stored, store];
}

/** Accepts any stored value: another release may have written it. */
export function readView(text: string | undefined): ListView {
  let read: { readonly columns?: unknown; readonly density?: unknown } | null = null;
  try {
    read = JSON.parse(text ?? "null");
  } catch {
    // Not written by Hermod.
  }
  const chosen = Array.isArray(read?.columns) ? read.columns : defaultColumns;
  const columns = allColumns
    .map(({ id }) => id)
    .filter((id) => fixedColumns.includes(id) || chosen.includes(id));
  return { columns, density: read?.density === "compact" ? "compact" : "comfortable" };
}

interface ViewMenuProps {
  readonly view: ListView;
  readonly onChange: (view: ListView) => void;
}

/** Chooses columns and density. */
export function ViewMenu({ view, onChange }: ViewMenuProps) {
  const toggle = (id: string) =>
    onChange({
      ...view,
      columns: view.columns.includes(id) ? view.columns.filter((one) => one !== id) : [...view.columns, id],
    });
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className="chip wide-only">
          {t.messages.view}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.messages.columns}</Menu.Label>
        {allColumns
          .filter(({ id }) => !fixedColumns.includes(id))
          .map(({ id, heading }) => (
            <Menu.CheckboxItem key={id} checked={view.columns.includes(id)} onChange={() => toggle(id)}>
              {heading}
            </Menu.CheckboxItem>
          ))}
        <Menu.Divider />
        <Menu.Label>{t.messages.density}</Menu.Label>
        {densities.map((density) => (
          <Menu.RadioItem
            key={density}
            value={density}
            checked={view.density === density}
            onChange={() => onChange({ ...view, density })}
          >
            {t.messages.densities[density]}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
