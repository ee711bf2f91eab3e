import { Fragment, type ReactNode, type RefObject } from "react";

/** A column: its heading and its cell. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /**
   * Classes of its cells: `wide-only` hides it on narrow screens, `grow` takes the remaining width, `right` aligns numbers,
   * `wrap` breaks long words, `main` names the row: on a phone it is above the others.
   */
  readonly className?: string;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Content below an open row; undefined for a closed row. */
  readonly below?: (row: Row) => ReactNode;
  /** Refers to the rows. */
  readonly list?: RefObject<HTMLTableSectionElement | null>;
}

/** A table that scrolls sideways, also by keyboard, if it is wider than the screen. */
export function Table<Row>({ label, columns, rows, rowKey, below, list }: TableProps<Row>) {
  return (
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ heading, className }) => (
              <th key={heading} scope="col" className={className}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list}>
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr>
                {columns.map(({ heading, cell, className }) => (
                  <td key={heading} className={className}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
              <Below columns={columns.length}>{below?.(row)}</Below>
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Below({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <tr className="below">
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}
