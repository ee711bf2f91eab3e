import { useInfiniteQuery } from "@tanstack/react-query";
import { ALL_STATES, type Listing, type ListingFilter, listingsQuery } from "../../api/insights.ts";
import { Answer } from "../../parts/answer.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { wordsOf } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  listed: "bad",
  clean: "ok",
  refused: "warn",
  error: "warn",
  unreliable: "warn",
};
/** States that say nothing about the address. */
const unknownStates = ["refused", "error", "unreliable"];

const columns: readonly Column<Listing>[] = [
  {
    heading: t.blacklists.state,
    cell: ({ state }) => (
      <StateBadge tone={tones[state] ?? "idle"}>{t.blacklists.states[state] ?? state}</StateBadge>
    ),
  },
  { heading: t.blacklists.subject, cell: ({ subject }) => <b>{subject}</b>, className: "main wrap" },
  { heading: t.blacklists.list, cell: ({ list }) => <span className="whole">{list.name}</span> },
  {
    heading: t.blacklists.reason,
    cell: ({ codes, txt, reason }) => (
      // `txt` is the text of the list.
      <span className="mono">
        {[
          ...codes.map(({ meaning }) => wordsOf("listing_meaning", meaning) ?? meaning),
          txt ?? wordsOf("list_failure", reason ?? "") ?? reason,
        ].join(" ")}
      </span>
    ),
    className: "lines muted",
  },
  {
    heading: t.blacklists.since,
    cell: ({ first_seen_at: at, state }) => state === "listed" && at && <Time at={at} withDay />,
    className: "muted",
  },
  {
    heading: t.blacklists.checked,
    cell: ({ checked_at: at }) => at && <Time at={at} withDay />,
    className: "muted wide-only",
  },
  {
    heading: t.blacklists.delist,
    cell: ({ state, delist_url: url, list }) =>
      state === "listed" && (
        <a
          href={url}
          className="link"
          target="_blank"
          rel="noreferrer"
          aria-label={t.blacklists.delistAt(list.name)}
        >
          {t.blacklists.delist}
        </a>
      ),
  },
];

interface ListingsProps {
  readonly filter: ListingFilter;
  readonly onChange: (changes: ListingFilter) => void;
}

/** States of addresses and domains at each list, as of the last checks. */
export function Listings({ filter, onChange }: ListingsProps) {
  const query = useInfiniteQuery(listingsQuery(filter));
  const counts = query.data?.pages[0]?.summary;
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== "workspace_id" && value);
  const isChecked = Object.values(counts ?? {}).some((count) => count > 0);
  return (
    <>
      {counts && <Summary counts={counts} />}
      <div className="row">
        <FilterMenu
          label={t.blacklists.state}
          options={{ [ALL_STATES]: t.blacklists.allStates, ...t.blacklists.states }}
          values={[filter.state ?? "listed"]}
          onPick={([state]) => onChange({ state: state === "listed" ? undefined : state })}
        />
        {filter.list && (
          <button
            type="button"
            className="chip"
            data-active
            aria-label={t.common.clear(`${t.blacklists.list} ${filter.list}`)}
            onClick={() => onChange({ list: undefined })}
          >
            {t.blacklists.list} <b className="cut">{filter.list}</b>
          </button>
        )}
      </div>
      <ListCard
        query={query}
        empty={
          isFiltered
            ? { title: t.blacklists.emptyFiltered }
            : isChecked
              ? { title: t.blacklists.nothing, detail: t.blacklists.nothingDetail }
              : { title: t.blacklists.empty, detail: t.blacklists.emptyDetail }
        }
      >
        {(rows) => (
          <Table
            label={t.blacklists.title}
            columns={columns}
            rows={rows}
            rowKey={({ subject, list }) => `${subject} ${list.id}`}
          />
        )}
      </ListCard>
    </>
  );
}

function Summary({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const of = (state: string) => counts[state] ?? 0;
  const unknown = unknownStates.reduce((sum, state) => sum + of(state), 0);
  if (of("listed") + of("clean") + unknown === 0) return null;
  return (
    <Answer tone={of("listed") > 0 ? "bad" : unknown > 0 ? "warn" : "ok"}>
      <p role="status">
        <b>
          {of("listed") > 0 && t.blacklists.someListed(of("listed"))}
          {of("listed") === 0 &&
            (of("clean") > 0 ? t.blacklists.noneListed(of("clean")) : t.blacklists.nothing)}
        </b>
      </p>
      {unknown > 0 && <p>{t.blacklists.unknown(unknown)}</p>}
    </Answer>
  );
}
