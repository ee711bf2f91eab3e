import { useQuery } from "@tanstack/react-query";
import { type Inhibition, inhibitionVersionQuery, restoreInhibition } from "../../api/silences.ts";
import { StoredVersion } from "../../parts/stored-version.tsx";
import type { OpenVersion } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { InhibitionDifference } from "./inhibition-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly inhibition: Inhibition;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ inhibition, ...open }: VersionContentProps) {
  const { version } = open.version;
  const { name, revision } = inhibition;
  return (
    <StoredVersion
      {...open}
      query={useQuery(inhibitionVersionQuery(name, version))}
      detail={t.inhibitions.restoreDetail}
      restore={() => restoreInhibition(name, revision, version)}
      queryKey={["inhibitions"]}
      difference={(before, after) => <InhibitionDifference name={name} before={before} after={after} />}
    />
  );
}
