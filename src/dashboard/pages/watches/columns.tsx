import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ListedWatch } from "../../api/watches.ts";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { WatchState } from "./watch-state.tsx";

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

/**
 * @param names names of the clients by id, as far as they are loaded
 * @param selection undefined: the user may not change domains
 */
export const watchColumns = (
  names: Readonly<Record<string, string>>,
  selection: Selection | undefined,
): readonly Column<ListedWatch>[] => [
  ...(selection ? [checkColumn(selection)] : []),
  {
    heading: t.watches.name,
    cell: ({ id, name_unicode: name, client_id: client, tags }) => (
      <>
        <Link to="/intel/domains/$domainId" params={{ domainId: id }} className="main">
          {name}
        </Link>
        {/* The line has its height before the names are loaded: a row that moves misses the click. */}
        <div className="muted">{[names[client], ...tags].filter(Boolean).join(", ") || "\u00a0"}</div>
      </>
    ),
    className: "main wrap",
  },
  { heading: t.watches.status, cell: ({ status }) => <WatchState status={status} /> },
  {
    heading: t.watches.score,
    cell: ({ score, grade, score_delta_7d: delta }) => (
      <>
        {score === null ? (
          <span className="faint">{t.intel.noScore}</span>
        ) : (
          <b>{[numberText(score), grade].filter(Boolean).join(" ")}</b>
        )}
        {delta !== null && delta !== 0 && (
          <div className={delta > 0 ? "trend ok" : "trend bad"} title={t.watches.deltaOf(delta)}>
            {delta > 0 && "+"}
            {numberText(delta)}
          </div>
        )}
      </>
    ),
    className: "right num",
  },
  {
    heading: t.watches.findings,
    cell: ({ findings }) =>
      t.watches.counts(findings) || <span className="faint">{t.watches.noFindings}</span>,
    className: "wrap",
  },
  {
    heading: t.watches.first,
    cell: ({ top_findings: [first] }) => first && checkTitle(first.check_id, first.title),
    className: "grow muted wide-only",
  },
  {
    heading: t.watches.checked,
    cell: ({ checked_at: at }) =>
      at ? <Time at={at} withDay /> : <span className="faint">{t.watches.notChecked}</span>,
    className: "right muted wide-only",
  },
];

function checkColumn({ selected, toggle }: Selection): Column<ListedWatch> {
  return {
    heading: t.watches.select,
    cell: ({ id, name_unicode: name }) => (
      <Checkbox
        aria-label={t.watches.selectOne(name)}
        checked={selected.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  };
}
