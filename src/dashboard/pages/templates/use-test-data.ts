import { useMemo, useRef, useState } from "react";
import { type Data, DEFAULT_SET, type Template } from "../../api/templates.ts";
import { t } from "../../texts/texts.ts";

/** The data with which previews and tests fill in a template. */
export interface TestData {
  /** Names of the data sets, the default one first. */
  readonly names: readonly string[];
  readonly selected: string;
  /** The selected data set as edited text. */
  readonly json: string;
  /** The reason why the text is not a JSON object; undefined: it is one. */
  readonly fault: string | undefined;
  /** The edited data or, while the text has a fault, the data before. */
  readonly data: Data;
  /** Whether a data set has unsaved changes. */
  readonly isDirty: boolean;
  /** Whether the selected one has. */
  readonly isSelectedDirty: boolean;
  select(name: string): void;
  edit(json: string): void;
  /** Drops the edited text of a data set: it was saved or removed. */
  settle(name: string): void;
}

export function useTestData(base: Template): TestData {
  const [chosen, setSelected] = useState(DEFAULT_SET);
  const [edits, setEdits] = useState<ReadonlyMap<string, string>>(new Map());
  const names = [DEFAULT_SET, ...base.data_sets.map(({ name }) => name)];
  // Another member may have removed the selected one.
  const selected = names.includes(chosen) ? chosen : DEFAULT_SET;
  const changed = names.filter((name) => edits.has(name) && edits.get(name) !== storedText(base, name));
  const json = edits.get(selected) ?? storedText(base, selected);
  const parsed = useMemo(() => parse(json), [json]);
  const valid = useRef<Data>({});
  if (parsed.data) valid.current = parsed.data;
  return {
    names,
    selected,
    json,
    fault: parsed.fault,
    data: valid.current,
    isDirty: changed.length > 0,
    isSelectedDirty: changed.includes(selected),
    select: setSelected,
    edit: (text) => setEdits((former) => new Map(former).set(selected, text)),
    settle: (name) => setEdits((former) => new Map([...former].filter(([one]) => one !== name))),
  };
}

const storedData = ({ test_data, data_sets }: Template, name: string): Data =>
  (name === DEFAULT_SET ? test_data : data_sets.find((one) => one.name === name)?.data) ?? {};

const storedText = (base: Template, name: string): string => JSON.stringify(storedData(base, name), null, 2);

function parse(json: string): { readonly data?: Data; readonly fault: string | undefined } {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { data: value as Data, fault: undefined };
    return { fault: t.templates.dataNotObject };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
