import type { ReactNode } from "react";
import type { SettingVersion } from "../api/setting-versions.ts";
import { t } from "../texts/texts.ts";
import { PickField } from "./pick-field.tsx";
import { timeText } from "./time.tsx";
import type { VersionSearch } from "./version-search.ts";

type Pair = Pick<VersionSearch, "before" | "after">;

/** Shows the fields that differ between two versions. */
export type ShowDifference = (before: number, after: number) => ReactNode;

interface CompareVersionsProps extends Pair {
  /** Versions to choose from: those that the list has loaded. */
  readonly versions: readonly SettingVersion[];
  readonly onChange: (pair: Pair) => void;
  readonly difference: ShowDifference;
}

/** Compares any two versions. */
export function CompareVersions({ versions, before, after, onChange, difference }: CompareVersionsProps) {
  const now = new Date();
  const texts = versions.map(
    ({ version, stored_at }) =>
      [nameOf(version), `${t.versions.version(version)}, ${timeText(stored_at, now, true)}`] as const,
  );
  const optionsWith = (version: number | undefined) => ({
    ...(version !== undefined && { [nameOf(version)]: t.versions.version(version) }),
    ...Object.fromEntries(texts),
  });
  return (
    <section className="stack" aria-label={t.versions.compare}>
      <h2>{t.versions.compare}</h2>
      <search className="pair">
        <PickField
          label={t.versions.before}
          options={optionsWith(before)}
          value={before === undefined ? undefined : nameOf(before)}
          onPick={(picked) => onChange({ before: numberOf(picked) })}
        />
        <PickField
          label={t.versions.after}
          options={optionsWith(after)}
          value={after === undefined ? undefined : nameOf(after)}
          onPick={(picked) => onChange({ after: numberOf(picked) })}
        />
      </search>
      {before !== undefined && after !== undefined && (
        <div className="card">
          <header>
            <h3>{t.versions.changesBetween(before, after)}</h3>
          </header>
          <div className="body">{difference(before, after)}</div>
        </div>
      )}
    </section>
  );
}

/** Objects sort names that are numbers, lowest first. */
const nameOf = (version: number) => `v${version}`;
const numberOf = (name: string | undefined) => (name === undefined ? undefined : Number(name.slice(1)));
