import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { type PolicyVersion, policyDifferenceQuery } from "../../api/policies.ts";
import { FieldChanges } from "../../parts/field-changes.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface Pair {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

interface CompareVersionsProps extends Pair {
  readonly name: string;
  /** Versions to choose from: those that the list has loaded. */
  readonly versions: readonly PolicyVersion[];
  /** The element, which can have the focus. */
  readonly section: RefObject<HTMLElement | null>;
  readonly onChange: (pair: Pair) => void;
}

/** Compares any two versions of a policy. */
export function CompareVersions(props: CompareVersionsProps) {
  const { name, versions, section, before, after, onChange } = props;
  const now = new Date();
  const texts = versions.map(
    ({ version, stored_at }) =>
      [nameOf(version), `${t.policies.version(version)}, ${timeText(stored_at, now, true)}`] as const,
  );
  const optionsWith = (version: number | undefined) => ({
    ...(version !== undefined && { [nameOf(version)]: t.policies.version(version) }),
    ...Object.fromEntries(texts),
  });
  return (
    <section className="stack" aria-label={t.policies.compare} ref={section} tabIndex={-1}>
      <h2>{t.policies.compare}</h2>
      <search className="row">
        <PickField
          label={t.policies.before}
          options={optionsWith(before)}
          value={before === undefined ? undefined : nameOf(before)}
          onPick={(picked) => onChange({ before: numberOf(picked) })}
        />
        <PickField
          label={t.policies.after}
          options={optionsWith(after)}
          value={after === undefined ? undefined : nameOf(after)}
          onPick={(picked) => onChange({ after: numberOf(picked) })}
        />
      </search>
      {before !== undefined && after !== undefined && (
        <div className="card">
          <header>
            <h3>{t.policies.changesBetween(before, after)}</h3>
          </header>
          <div className="body">
            <Differences name={name} before={before} after={after} />
          </div>
        </div>
      )}
    </section>
  );
}

/** Objects sort names that are numbers, lowest first. */
const nameOf = (version: number) => `v${version}`;
const numberOf = (name: string | undefined) => (name === undefined ? undefined : Number(name.slice(1)));

interface DifferencesProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions, with the differences marked. */
export function Differences({ name, before, after }: DifferencesProps) {
  const query = useQuery(policyDifferenceQuery(name, before, after));
  return (
    <StateView
      query={query}
      empty={{
        when: ({ changes }) => changes.length === 0,
        view: <p className="muted tight">{t.policies.noDifference}</p>,
      }}
    >
      {({ changes }) => (
        <FieldChanges
          label={t.policies.changesBetween(before, after)}
          changes={changes}
          secretText={t.policies.secretChanged}
        />
      )}
    </StateView>
  );
}
