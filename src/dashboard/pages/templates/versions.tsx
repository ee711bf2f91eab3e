import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { versionsQuery } from "../../api/templates.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Comparison } from "./comparison.tsx";
import { RestoreVersion } from "./restore-version.tsx";
import type { Draft } from "./use-draft.ts";
import { versionColumns } from "./version-columns.tsx";
import { VersionPreview } from "./version-preview.tsx";

const route = getRouteApi("/inside/templates/$name");

/** The published versions of a template, the differences of two texts, and the way back to a version. */
export function Versions({ draft }: { readonly draft: Draft }) {
  const { base } = draft;
  const { version: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useInfiniteQuery(versionsQuery(base.name));
  const [restoring, setRestoring] = useState<{ readonly version: number; readonly isPublished: boolean }>();
  const change = (changes: { before?: string; after?: string; version?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  const columns = versionColumns({
    mayWrite: may("templates.write"),
    shown,
    onShow: (version) => change({ version: version === shown ? undefined : version }),
    onCompare: (version) =>
      change({ before: version, after: base.draft_saved_at === undefined ? "published" : "draft" }),
    onPublish: (version) => setRestoring({ version, isPublished: true }),
    onRestore: (version) => setRestoring({ version, isPublished: false }),
  });
  return (
    <>
      <ListCard
        query={query}
        empty={{ title: t.templates.versionsEmpty, detail: t.templates.versionsEmptyDetail }}
      >
        {(versions) => (
          <Table
            label={t.templates.tabs.versions}
            columns={columns}
            rows={versions}
            rowKey={({ version }) => String(version)}
            below={({ version }) =>
              String(version) === shown ? <VersionPreview name={base.name} version={shown} /> : undefined
            }
          />
        )}
      </ListCard>
      <Comparison draft={draft} versions={rowsOf(query.data).map(({ version }) => version)} />
      {restoring && <RestoreVersion draft={draft} {...restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}
