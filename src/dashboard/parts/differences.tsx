import type { UseQueryResult } from "@tanstack/react-query";
import type { SettingDifference } from "../api/setting-versions.ts";
import { t } from "../texts/texts.ts";
import { FieldChanges } from "./field-changes.tsx";
import { StateView } from "./state-view.tsx";

interface DifferencesProps {
  readonly query: UseQueryResult<SettingDifference>;
}

/** The fields that differ between two versions, with the differences marked. */
export function Differences({ query }: DifferencesProps) {
  return (
    <StateView
      query={query}
      empty={{
        when: ({ changes }) => changes.length === 0,
        view: <p className="muted tight">{t.versions.noDifference}</p>,
      }}
    >
      {({ before, after, changes }) => (
        <FieldChanges
          label={t.versions.changesBetween(before, after)}
          changes={changes}
          secretText={t.versions.secretChanged}
        />
      )}
    </StateView>
  );
}
