import { Button } from "@mantine/core";
import type { TemplateFault } from "../../api/templates.ts";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { type VariableRow, withVariable } from "./draft-text.ts";
import { VariableFields } from "./variable-fields.tsx";

interface VariablesCardProps {
  readonly rows: readonly VariableRow[];
  readonly faults: readonly TemplateFault[] | undefined;
  readonly undeclared: readonly string[] | undefined;
  readonly unused: readonly string[] | undefined;
  readonly onChange: (rows: readonly VariableRow[]) => void;
}

/** The variables that a template expects, and those that its text uses without a declaration. */
export function VariablesCard({
  rows,
  faults = [],
  undeclared = [],
  unused = [],
  onChange,
}: VariablesCardProps) {
  const may = useMay();
  const faultOf = (index: number) => faults.find(({ pointer }) => isAt(pointer, index))?.message;
  return (
    <section className="card" aria-labelledby="variables">
      <header>
        <div>
          <h2 id="variables">{t.templates.variables}</h2>
          <p className="muted">{t.templates.variablesDetail}</p>
        </div>
        {may("templates.write") && (
          <Button variant="default" size="xs" onClick={() => onChange(withVariable(rows, ""))}>
            {t.templates.addVariable}
          </Button>
        )}
      </header>
      {(rows.length > 0 || undeclared.length > 0) && (
        <div className="body stack">
          {rows.map((row, index) => (
            <VariableFields
              key={row.key}
              row={row}
              position={index + 1}
              fault={faultOf(index)}
              onChange={(changed) => onChange(rows.with(index, changed))}
              onRemove={() => onChange(rows.filter((one) => one !== row))}
            />
          ))}
          {undeclared.length > 0 && (
            <div className="row">
              <span className="muted">{t.templates.undeclared}</span>
              {undeclared.map((name) => (
                <button
                  key={name}
                  type="button"
                  className="chip"
                  disabled={!may("templates.write")}
                  onClick={() => onChange(withVariable(rows, name))}
                >
                  {t.templates.declare(name)}
                </button>
              ))}
            </div>
          )}
          {unused.length > 0 && <p className="muted tight">{t.templates.notUsed(unused.join(", "))}</p>}
        </div>
      )}
    </section>
  );
}

const isAt = (pointer: string, index: number) =>
  pointer === `/variables/${index}` || pointer.startsWith(`/variables/${index}/`);
