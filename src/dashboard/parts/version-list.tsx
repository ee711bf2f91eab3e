import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Page, rowsOf } from "../api/pages.ts";
import type { SettingVersion } from "../api/setting-versions.ts";
import { t } from "../texts/texts.ts";
import { actorName } from "./actor-name.ts";
import { CompareVersions, type ShowDifference } from "./compare-versions.tsx";
import { ListCard } from "./list-card.tsx";
import { StateBadge } from "./state-badge.tsx";
import { type Column, Table } from "./table.tsx";
import { Time } from "./time.tsx";
import type { VersionSearch } from "./version-search.ts";
import type { OpenVersion } from "./version-view.tsx";

interface VersionListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<SettingVersion>>>;
  /** The open version and the compared ones. */
  readonly search: VersionSearch;
  readonly onChange: (changes: VersionSearch) => void;
  readonly difference: ShowDifference;
  /** Shows the open version. */
  readonly children: (open: OpenVersion) => ReactNode;
}

/** Versions of settings, newest first. One can be open, and two can be compared. */
export function VersionList({ query, search, onChange, difference, children }: VersionListProps) {
  const { version: open, before, after } = search;
  const versions = rowsOf(query.data);
  const current = versions.find((version) => version.current)?.version;
  const toggle = (version: number) => onChange({ version: version === open ? undefined : version });
  return (
    <>
      <CompareVersions
        versions={versions}
        before={before}
        after={after}
        onChange={onChange}
        difference={difference}
      />
      <p className="muted tight">{t.versions.detail}</p>
      <section className="stack compact" aria-label={t.versions.title}>
        <ListCard query={query} empty={{ title: t.versions.title }}>
          {(rows) => (
            <Table
              label={t.versions.title}
              columns={columns(open, toggle)}
              rows={rows}
              rowKey={({ version }) => String(version)}
              below={(row) =>
                row.version === open ? children({ version: row, current, onCompare: onChange }) : undefined
              }
            />
          )}
        </ListCard>
      </section>
    </>
  );
}

function columns(
  open: number | undefined,
  toggle: (version: number) => void,
): readonly Column<SettingVersion>[] {
  return [
    {
      heading: t.versions.change,
      cell: ({ version }) => (
        <button
          type="button"
          className="opener bare"
          aria-expanded={version === open}
          onClick={() => toggle(version)}
        >
          {t.versions.version(version)}
        </button>
      ),
      className: "main",
    },
    {
      heading: t.versions.author,
      cell: ({ author }) => (author ? actorName(author) : t.versions.unknownAuthor),
      className: "wrap",
    },
    {
      heading: t.common.details,
      cell: ({ current, restored_version: restored }) => (
        <span className="row">
          {current && <StateBadge tone="ok">{t.versions.current}</StateBadge>}
          {restored > 0 && <span className="muted">{t.versions.restoredFrom(restored)}</span>}
        </span>
      ),
    },
    {
      heading: t.versions.at,
      cell: ({ stored_at }) => <Time at={stored_at} withDay />,
      className: "right muted",
    },
  ];
}
