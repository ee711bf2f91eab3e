import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { rowsOf } from "../../api/pages.ts";
import { type Policy, type PolicyVersion, policyVersionsQuery } from "../../api/policies.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { nameOfActor } from "../account/audit-texts.ts";
import { CompareVersions } from "./compare-versions.tsx";
import type { PolicySearch } from "./tabs.ts";
import { VersionContent } from "./version-content.tsx";

const route = getRouteApi("/inside/policies/$name");

function columns(
  open: number | undefined,
  toggle: (version: number) => void,
): readonly Column<PolicyVersion>[] {
  return [
    {
      heading: t.policies.change,
      cell: ({ version }) => (
        <button
          type="button"
          className="opener bare"
          aria-expanded={version === open}
          onClick={() => toggle(version)}
        >
          {t.policies.version(version)}
        </button>
      ),
      className: "main",
    },
    {
      heading: t.policies.author,
      cell: ({ author }) => (author ? nameOfActor({ actor: author }) : t.policies.unknownAuthor),
      className: "wrap",
    },
    {
      heading: t.common.details,
      cell: ({ current, restored_version: restored }) => (
        <span className="row">
          {current && <StateBadge tone="ok">{t.policies.current}</StateBadge>}
          {restored > 0 && <span className="muted">{t.policies.restoredFrom(restored)}</span>}
        </span>
      ),
    },
    {
      heading: t.policies.at,
      cell: ({ stored_at }) => <Time at={stored_at} withDay />,
      className: "right muted",
    },
  ];
}

/** Versions of a policy, newest first. One can be open, and two can be compared. */
export function Versions({ policy }: { readonly policy: Policy }) {
  const { name } = policy;
  const { version: open, before, after } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(policyVersionsQuery(name));
  const versions = rowsOf(query.data);
  const current = versions.find((version) => version.current)?.version;
  const change = (changes: Pick<PolicySearch, "version" | "before" | "after">) =>
    void navigate({ search: (former) => ({ ...former, ...changes }), replace: true, resetScroll: false });
  const section = useRef<HTMLElement>(null);
  function compare(pair: { readonly before: number; readonly after: number }): void {
    change(pair);
    // It is above the list, and may be out of view.
    section.current?.focus();
  }
  const toggle = (version: number) => change({ version: version === open ? undefined : version });
  return (
    <>
      <CompareVersions
        name={name}
        versions={versions}
        section={section}
        before={before}
        after={after}
        onChange={change}
      />
      <p className="muted tight">{t.policies.versionsDetail}</p>
      <section className="stack compact" aria-label={t.policies.versions}>
        <ListCard query={query} empty={{ title: t.policies.versions }}>
          {(rows) => (
            <Table
              label={t.policies.versions}
              columns={columns(open, toggle)}
              rows={rows}
              rowKey={({ version }) => String(version)}
              below={(row) =>
                row.version === open ? (
                  <VersionContent policy={policy} version={row} current={current} onCompare={compare} />
                ) : undefined
              }
            />
          )}
        </ListCard>
      </section>
    </>
  );
}
