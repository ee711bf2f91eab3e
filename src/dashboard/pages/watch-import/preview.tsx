import { Button } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../api/problem.ts";
import type { ImportPreview, ImportRow } from "../../api/watches.ts";
import { Answer } from "../../parts/answer.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { reasonOf, refusedCsv, rowTones } from "./row-result.ts";

/** Rows that are shown first, and with each press of the button below them. */
const STEP = 100;

const columns: readonly Column<ImportRow>[] = [
  { heading: t.watchImport.row, cell: ({ row }) => numberText(row), className: "num" },
  {
    heading: t.watchImport.outcome,
    cell: ({ outcome }) => (
      <StateBadge tone={rowTones[outcome] ?? "idle"}>{t.watchImport.outcomes[outcome] ?? outcome}</StateBadge>
    ),
  },
  { heading: t.watchImport.domain, cell: ({ domain }) => <b>{domain || "–"}</b>, className: "main wrap" },
  {
    heading: t.watchImport.client,
    cell: ({ client, new_client: isNew }) => (
      <span className="row">
        {client}
        {isNew && <StateBadge tone="info">{t.watchImport.newClient}</StateBadge>}
      </span>
    ),
    className: "wrap",
  },
  { heading: t.watchImport.reason, cell: reasonOf, className: "lines muted" },
];

interface PreviewProps {
  readonly preview: ImportPreview;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onBegin: (confirmation: string) => void;
  /** Reads the file again. */
  readonly onAgain: () => void;
}

/** The expected result of each row, and the button that starts the import. */
export function Preview({ preview, isPending, error, onBegin, onAgain }: PreviewProps) {
  const { added, refused, columns: ofFile, rows, confirmation } = preview;
  const [outcome, setOutcome] = useState<string>();
  const [count, setCount] = useState(STEP);
  const shown = outcome === undefined ? rows : rows.filter((row) => row.outcome === outcome);
  const ignored = ofFile.filter(({ field }) => field === "").map(({ name }) => name);
  const isStale = error instanceof Problem && error.code === "watched_domain.confirmation_invalid";
  return (
    <>
      <Answer tone={added === 0 ? "warn" : "info"}>
        <p role="status">
          <b>{t.watchImport.summary(preview)}</b>
        </p>
        <p>{added > 0 ? t.watchImport.nothingYet : t.watchImport.nothingNew}</p>
        {ignored.length > 0 && <p>{t.watchImport.ignored(ignored.join(", "))}</p>}
        <FormFault error={error} />
        <div className="row gap-above">
          {added > 0 && !isStale && (
            <Button loading={isPending} onClick={() => onBegin(confirmation)}>
              {t.watchImport.begin(added)}
            </Button>
          )}
          {isStale && <Button onClick={onAgain}>{t.watchImport.again}</Button>}
          {refused > 0 && (
            <Button variant="default" onClick={() => saveFile("refused.csv", "text/csv", refusedCsv(rows))}>
              {t.watchImport.saveRefused}
            </Button>
          )}
        </div>
      </Answer>
      <section className="stack small-gap" aria-label={t.watchImport.rows}>
        <div className="spread">
          <h2>{t.watchImport.rows}</h2>
          <FilterMenu
            label={t.watchImport.outcome}
            options={t.watchImport.outcomes}
            values={outcome ? [outcome] : []}
            onPick={([value]) => {
              setOutcome(value);
              setCount(STEP);
            }}
          />
        </div>
        <div className="card">
          {shown.length === 0 ? (
            <div className="notice">
              <strong>{t.watchImport.noRows}</strong>
            </div>
          ) : (
            <Table
              label={t.watchImport.rows}
              columns={columns}
              rows={shown.slice(0, count)}
              rowKey={({ row }) => String(row)}
            />
          )}
        </div>
        {shown.length > count && (
          <div>
            <Button variant="default" onClick={() => setCount(count + STEP)}>
              {t.watchImport.more(Math.min(STEP, shown.length - count), shown.length)}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}
