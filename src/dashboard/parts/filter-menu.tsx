import { Menu } from "@mantine/core";
import { t } from "../texts/texts.ts";

interface FilterMenuProps {
  readonly label: string;
  /** Values and their labels. */
  readonly options: Readonly<Record<string, string>>;
  readonly values: readonly string[];
  /** Whether several values can be selected. The menu then stays open. */
  readonly isMultiple?: boolean;
  readonly onPick: (values: readonly string[]) => void;
}

/** A filter as a small button with its value. Its menu has the other values. */
export function FilterMenu({ label, options, values, isMultiple = false, onPick }: FilterMenuProps) {
  const summary = values.map((value) => options[value] ?? value).join(", ") || t.common.any;
  const toggle = (value: string) => {
    const others = isMultiple ? values.filter((one) => one !== value) : [];
    onPick(values.includes(value) ? others : [...others, value]);
  };
  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false} closeOnItemClick={!isMultiple}>
      <Menu.Target>
        <button type="button" className="chip" data-active={values.length > 0}>
          {label} <b className="cut">{summary}</b>
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={340} style={{ overflowY: "auto" }}>
        {Object.entries(options).map(([value, words]) => (
          <Menu.CheckboxItem
            key={value}
            checked={values.includes(value)}
            closeMenuOnClick={!isMultiple}
            onChange={() => toggle(value)}
          >
            {words}
          </Menu.CheckboxItem>
        ))}
        {values.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onPick([])}>{t.common.clear(label)}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
