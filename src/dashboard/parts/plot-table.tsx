import { t } from "../texts/texts.ts";

interface PlotTableProps {
  readonly title: string;
  readonly labels: readonly string[];
  /** One cell for each label. */
  readonly columns: readonly { readonly name: string; readonly cells: readonly string[] }[];
  /** Opens the list behind a point. */
  readonly onOpen: (index: number) => void;
  readonly openLabel: (label: string) => string;
}

/** The numbers of a plot as a table, for keyboards and screen readers. */
export function PlotTable({ title, labels, columns, onOpen, openLabel }: PlotTableProps) {
  return (
    <details>
      <summary className="faint">{t.common.asTable}</summary>
      <section className="scroll table-behind" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.common.time}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label}>
                <td>
                  <button
                    type="button"
                    className="link bare"
                    aria-label={openLabel(label)}
                    onClick={() => onOpen(index)}
                  >
                    {label}
                  </button>
                </td>
                {columns.map(({ name, cells }) => (
                  <td key={name} className="right num">
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
