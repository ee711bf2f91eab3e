import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Incident } from "../../api/incidents.ts";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { IncidentState, Severity } from "./incident-state.tsx";

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

/** @param selection undefined: the user may not change incidents */
export function incidentColumns(selection: Selection | undefined): readonly Column<Incident>[] {
  return [
    ...(selection ? [checkColumn(selection)] : []),
    { heading: t.incidents.state, cell: (incident) => <IncidentState incident={incident} /> },
    { heading: t.incidents.severity, cell: ({ severity }) => <Severity severity={severity} /> },
    {
      heading: t.incidents.incident,
      // More columns would be wider than a screen of 1,280 px.
      cell: ({ id, title, rule, firing, alerts, trouble }) => (
        <>
          <Link to="/incidents/$incidentId" params={{ incidentId: id }} className="main">
            {title}
          </Link>
          <div className="muted wide-only">
            {t.incidents.firing} {t.incidents.firingOf(numberText(firing), numberText(alerts))} ·{" "}
            {t.incidents.rule}{" "}
            <Link to="/alert-rules/$name" params={{ name: rule }} className="link">
              {rule}
            </Link>
          </div>
          {trouble && <div className="fault">{t.incidents.notMailed}</div>}
        </>
      ),
      className: "main wrap grow",
    },
    {
      heading: t.incidents.assignee,
      cell: ({ assignee }) =>
        assignee ? (
          <span className="cut" title={assignee.email}>
            {assignee.email}
          </span>
        ) : (
          <span className="faint">{t.incidents.nobody}</span>
        ),
      className: "wide-only",
    },
    {
      heading: t.incidents.opened,
      cell: ({ opened_at }) => <Time at={opened_at} withDay />,
      className: "right muted",
    },
  ];
}

function checkColumn({ selected, toggle }: Selection): Column<Incident> {
  return {
    heading: t.incidents.select,
    cell: ({ id, title }) => (
      <Checkbox
        aria-label={t.incidents.selectOne(title)}
        checked={selected.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  };
}
