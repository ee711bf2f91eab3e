import { Button } from "@mantine/core";
import { useState } from "react";
import type { Retention } from "../../api/accounts.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { ChangeRetention } from "./change-retention.tsx";
import { timesOf } from "./retention-times.ts";

type Shown = ReturnType<typeof timesOf>[number];

const columns: readonly Column<Shown>[] = [
  {
    heading: t.retention.data,
    cell: ({ name }) => (
      <>
        <b>{t.retention.names[name]}</b> <span className="faint">{t.retention.starts[name]}</span>
      </>
    ),
    className: "main",
  },
  { heading: t.retention.kept, cell: ({ kept, unit }) => t.retention[unit](kept), className: "num" },
  {
    heading: t.retention.most,
    cell: ({ most, unit }) => t.retention[unit](most),
    className: "num muted wide-only",
  },
  {
    heading: t.retention.set,
    cell: ({ own }) => (own ? t.retention.own : t.retention.installation),
    className: "right muted",
  },
];

/** Retention times with their bounds. */
export function RetentionCard({ retention }: { readonly retention: Retention }) {
  const may = useMay();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <header>
        <h2>{t.retention.times}</h2>
        {may("account.write") && (
          <Button variant="default" onClick={() => setChanging(true)}>
            {t.retention.change}
          </Button>
        )}
      </header>
      <Table
        label={t.retention.times}
        columns={columns}
        rows={timesOf(retention)}
        rowKey={({ name }) => name}
      />
      {retention.applied_at && (
        <p className="body faint">
          {t.retention.applied} <Time at={retention.applied_at} withDay />
        </p>
      )}
      {isChanging && <ChangeRetention retention={retention} onClose={() => setChanging(false)} />}
    </>
  );
}
