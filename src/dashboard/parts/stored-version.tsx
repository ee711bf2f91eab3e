import type { QueryKey, UseQueryResult } from "@tanstack/react-query";
import type { ShowDifference } from "./compare-versions.tsx";
import { RestoreVersion } from "./restore-version.tsx";
import { StateView } from "./state-view.tsx";
import { useMay } from "./use-may.ts";
import { type OpenVersion, VersionView } from "./version-view.tsx";

interface StoredVersionProps extends OpenVersion {
  readonly query: UseQueryResult<{ readonly content: object }>;
  /** The effects of a restoration. */
  readonly detail: string;
  /** Stores the version again. */
  readonly restore: () => Promise<unknown>;
  /** Beginning of the keys of all queries that a restoration changes. */
  readonly queryKey: QueryKey;
  readonly difference: ShowDifference;
}

/** An open version of alert settings: its content, and its actions. */
export function StoredVersion(props: StoredVersionProps) {
  const { query, detail, restore, queryKey, difference, ...open } = props;
  const { version, current } = open;
  const may = useMay();
  const restoration = (onClose: () => void) => (
    <RestoreVersion
      version={version.version}
      detail={detail}
      restore={restore}
      queryKey={queryKey}
      onClose={onClose}
    >
      {() => current !== undefined && difference(current, version.version)}
    </RestoreVersion>
  );
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content }) => (
          <VersionView
            {...open}
            content={content}
            restoration={may("alerts.write") ? restoration : undefined}
          />
        )}
      </StateView>
    </div>
  );
}
