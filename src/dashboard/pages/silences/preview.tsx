import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  type SilenceContent,
  type SilenceMatch,
  type SilencePreview,
  silencePreviewQuery,
} from "../../api/silences.ts";
import { Answer } from "../../parts/answer.tsx";
import { isSame } from "../../parts/drafts/draft-content.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";
import { incidentTexts, pastText } from "./preview-texts.ts";

type Listed = SilencePreview["listed"][number];
const TYPING_MS = 400;

const columns: readonly Column<Listed>[] = [
  { heading: t.incidents.severity, cell: ({ severity }) => <Severity severity={severity} /> },
  {
    heading: t.incidents.incident,
    cell: ({ id, title }) => (
      <Link to="/incidents/$incidentId" params={{ incidentId: id }} className="main">
        {title}
      </Link>
    ),
    className: "main wrap grow",
  },
  {
    heading: t.silences.matching,
    cell: ({ matching, firing }) => t.silences.matchingOf(matching, firing),
    className: "right num",
  },
];

/** The incidents and alerts that a silence with these settings would suppress, counted by Hermod after each change. */
export function Preview({ content }: { readonly content: SilenceContent }) {
  const { match = [], any = [], weekly } = content;
  const shown: SilenceMatch = { match, any, ...(weekly && { weekly }) };
  // As text: equal settings are one value.
  const [askedText] = useDebouncedValue(JSON.stringify(shown), TYPING_MS);
  const asked = JSON.parse(askedText) as SilenceMatch;
  const isWhole = isFilledIn(shown);
  const query = useQuery({ ...silencePreviewQuery(asked), enabled: isFilledIn(asked) });
  const isCounting = query.isFetching || !isSame(asked, shown);
  return (
    <section className="card" aria-label={t.silences.preview} aria-busy={isWhole && isCounting}>
      <header>
        <h2>{t.silences.preview}</h2>
        {isWhole && isCounting && query.data && <span className="faint">{t.silences.counting}</span>}
      </header>
      {isWhole ? (
        <StateView query={query}>{(preview) => <Counted preview={preview} isWeekly={!!weekly} />}</StateView>
      ) : (
        <p className="body muted tight">{t.silences.incomplete}</p>
      )}
    </section>
  );
}

/** Whether every condition has a value. A condition without one matches nothing, or is refused. */
const isFilledIn = ({ match = [], any = [] }: SilenceMatch) =>
  [...match, ...any].every(({ value }) => (Array.isArray(value) ? value.length > 0 : value !== ""));

interface CountedProps {
  readonly preview: SilencePreview;
  readonly isWeekly: boolean;
}

function Counted({ preview, isWeekly }: CountedProps) {
  const { incidents, partial_incidents: partial, listed, needs_confirmation: isBroad } = preview;
  return (
    <>
      <div className="body stack">
        <Answer tone={incidents > 0 ? "warn" : "info"}>
          {incidentTexts(preview).map((text, index) => (
            <p key={text}>{index === 0 ? <b>{text}</b> : text}</p>
          ))}
          <p>{pastText(preview, isWeekly)}</p>
        </Answer>
        {isBroad && (
          <Answer tone="bad">
            <p>{t.silences.isBroad}</p>
          </Answer>
        )}
      </div>
      {listed.length > 0 && (
        <Table label={t.silences.previewList} columns={columns} rows={listed} rowKey={({ id }) => id} />
      )}
      {incidents + partial > listed.length && (
        <p className="body muted tight">{t.silences.moreIncidents(incidents + partial - listed.length)}</p>
      )}
    </>
  );
}
