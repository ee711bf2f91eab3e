import { memo, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { type RowWindow, useRowWindow } from "./use-row-window.ts";

/** A column of a long list. */
export interface VirtualColumn<Row> {
  readonly id: string;
  readonly heading: string;
  /** Value for `grid-template-columns`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
  /** Position in a row of two lines, on narrow screens; missing: hidden there. */
  readonly narrow?: "top" | "top-end" | "bottom" | "bottom-end";
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly toggleAll: () => void;
}

/** Rows without an array of all of them: the cost of one more page does not depend on the length of the list. */
export interface RowSource<Row> {
  readonly count: number;
  /** Rows from `first` on, and before `last`. */
  readonly slice: (first: number, last: number) => readonly Row[];
}

/** The rows of several pages, in their order. */
export function rowsOfPages<Row>(pages: readonly { readonly data: readonly Row[] }[]): RowSource<Row> {
  const count = pages.reduce((sum, { data }) => sum + data.length, 0);
  return {
    count,
    slice: (first, last) => {
      const rows: Row[] = [];
      let begin = 0;
      for (const { data } of pages) {
        if (begin >= last) break;
        if (begin + data.length > first) rows.push(...data.slice(Math.max(0, first - begin), last - begin));
        begin += data.length;
      }
      return rows;
    },
  };
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: RowSource<Row>;
  readonly rowKey: (row: Row) => string;
  /** Name of the box that selects a row. */
  readonly selectLabel: (row: Row) => string;
  readonly selectAllLabel: string;
  readonly selection: Selection;
  /** CSS pixels, the same for all rows. */
  readonly rowHeight: number;
  readonly list: RefObject<HTMLTableSectionElement | null>;
  readonly onWindow: (shown: RowWindow) => void;
}

/** A table of any length that renders only the visible rows, and scrolls with the page. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowKey, selectLabel, selectAllLabel, selection, rowHeight, list, onWindow } =
    props;
  const { first, last } = useRowWindow(list, rows.count, rowHeight);
  const latest = useRef(onWindow);
  latest.current = onWindow;
  useEffect(() => latest.current({ first, last }), [first, last]);
  const template = `32px ${columns.map(({ width }) => width).join(" ")}`;

  return (
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table
        className="rows"
        aria-label={label}
        aria-rowcount={rows.count + 1}
        style={{ "--columns": template, "--row": `${rowHeight}px` } as React.CSSProperties}
      >
        <thead>
          <tr aria-rowindex={1}>
            <td>
              <input
                type="checkbox"
                aria-label={selectAllLabel}
                checked={rows.count > 0 && selection.keys.size >= rows.count}
                onChange={selection.toggleAll}
              />
            </td>
            {columns.map(({ id, heading, className }) => (
              <th key={id} scope="col" className={className}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list} style={{ height: rows.count * rowHeight, paddingTop: first * rowHeight }}>
          {rows.slice(first, last).map((row, index) => (
            <VirtualRow
              key={rowKey(row)}
              row={row}
              index={first + index}
              id={rowKey(row)}
              columns={columns as readonly VirtualColumn<unknown>[]}
              isSelected={selection.keys.has(rowKey(row))}
              onToggle={selection.toggle}
              selectLabel={selectLabel as (row: unknown) => string}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface VirtualRowProps {
  readonly row: unknown;
  readonly index: number;
  readonly id: string;
  readonly columns: readonly VirtualColumn<unknown>[];
  readonly isSelected: boolean;
  readonly onToggle: (key: string) => void;
  readonly selectLabel: (row: unknown) => string;
}

/** Rendered again only if the row itself has changed. */
const VirtualRow = memo(function VirtualRow(props: VirtualRowProps) {
  const { row, index, id, columns, isSelected, onToggle, selectLabel } = props;
  return (
    <tr aria-rowindex={index + 2} data-row={index} data-selected={isSelected}>
      <td className="check">
        <input
          type="checkbox"
          aria-label={selectLabel(row)}
          checked={isSelected}
          onChange={() => onToggle(id)}
        />
      </td>
      {columns.map(({ id: column, cell, className = "", narrow = "hidden" }) => (
        <td key={column} className={`${className} narrow-${narrow}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});
