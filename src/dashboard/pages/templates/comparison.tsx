import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { differenceQuery, type Template } from "../../api/templates.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { Difference } from "./difference.tsx";
import type { Draft } from "./use-draft.ts";

const route = getRouteApi("/inside/templates/$name");

interface ComparisonProps {
  readonly draft: Draft;
  /** Numbers of the loaded versions, newest first. */
  readonly versions: readonly number[];
}

/** The differences of two texts of a template. The address has their names. */
export function Comparison({ draft, versions }: ComparisonProps) {
  const { base, isDirty } = draft;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const proposed = proposedPair(base, versions);
  const before = existing(base, search.before) ?? proposed?.before;
  const after = existing(base, search.after) ?? proposed?.after;
  if (before === undefined || after === undefined) return null;
  const named = [
    ...(base.draft_saved_at === undefined ? [] : ["draft"]),
    ...(base.published_version > 0 ? ["published"] : []),
    ...versions.map(String),
  ];
  const options = [...new Set([...named, before, after])].map((value) => ({ value, label: labelOf(value) }));
  const change = (changes: { readonly before?: string; readonly after?: string }) =>
    void navigate({
      search: (former) => ({ ...former, before, after, ...changes }),
      replace: true,
      resetScroll: false,
    });
  return (
    <section className="card" aria-labelledby="differences">
      <header>
        <h2 id="differences">{t.templates.differences}</h2>
      </header>
      <div className="body stack">
        <div className="row bottom-aligned">
          <Select
            label={t.templates.before}
            data={options}
            allowDeselect={false}
            value={before}
            onChange={(value) => value && change({ before: value })}
          />
          <Select
            label={t.templates.after}
            data={options}
            allowDeselect={false}
            value={after}
            onChange={(value) => value && change({ after: value })}
          />
        </div>
        {isDirty && [before, after].includes("draft") && (
          <p className="muted tight">{t.templates.differencesUnsaved}</p>
        )}
        <Differences name={base.name} before={before} after={after} />
      </div>
    </section>
  );
}

interface DifferencesProps {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

function Differences({ name, before, after }: DifferencesProps) {
  const query = useQuery(differenceQuery(name, before, after));
  return (
    <StateView
      query={query}
      empty={{
        when: ({ fields }) => fields.length === 0,
        view: <p className="muted tight">{t.templates.noDifference}</p>,
      }}
    >
      {({ fields }) => (
        <div className="stack">
          {fields.map((field) => (
            <Difference key={field.field} difference={field} />
          ))}
        </div>
      )}
    </StateView>
  );
}

/** The change that matters most: that of the draft or, without one, that of the last publication. */
function proposedPair(
  base: Template,
  versions: readonly number[],
): { readonly before: string; readonly after: string } | undefined {
  if (base.published_version === 0) return undefined;
  if (base.draft_saved_at !== undefined) return { before: "published", after: "draft" };
  const former = versions.find((version) => version < base.published_version);
  return former === undefined ? undefined : { before: String(former), after: "published" };
}

/** The name of a text in the address, unless the template no longer has that text. */
function existing(base: Template, name: string | undefined): string | undefined {
  if (name === "draft" && base.draft_saved_at === undefined) return undefined;
  if (name === "published" && base.published_version === 0) return undefined;
  return name;
}

function labelOf(name: string): string {
  if (name === "draft" || name === "published") return t.templates.textNames[name];
  return t.templates.versionOf(Number(name));
}
