import { useQuery } from "@tanstack/react-query";
import { type Inhibition, inhibitionVersionQuery, restoreInhibition } from "../../api/silences.ts";
import { RestoreVersion } from "../../parts/restore-version.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { type OpenVersion, VersionView } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { InhibitionDifference } from "./inhibition-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly inhibition: Inhibition;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ inhibition, ...open }: VersionContentProps) {
  const { version, current } = open;
  const { name, revision } = inhibition;
  const query = useQuery(inhibitionVersionQuery(name, version.version));
  const may = useMay();
  const restoration = (onClose: () => void) => (
    <RestoreVersion
      version={version.version}
      detail={t.inhibitions.restoreDetail}
      restore={() => restoreInhibition(name, revision, version.version)}
      queryKey={["inhibitions"]}
      onClose={onClose}
    >
      {() =>
        current !== undefined && <InhibitionDifference name={name} before={current} after={version.version} />
      }
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
