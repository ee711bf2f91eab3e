import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type AlertRule, restoreRule, ruleQuery, ruleVersionQuery } from "../../api/rules.ts";
import { RestoreVersion } from "../../parts/restore-version.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { type OpenVersion, VersionView } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { warnOf } from "./report-stored.ts";
import { RuleDifference } from "./rule-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly rule: AlertRule;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ rule, ...open }: VersionContentProps) {
  const { version, current } = open;
  const { name } = rule.settings;
  const queryClient = useQueryClient();
  const query = useQuery(ruleVersionQuery(name, version.version));
  const may = useMay();

  async function restore(): Promise<void> {
    const stored = await restoreRule(name, rule.revision, version.version);
    queryClient.setQueryData(ruleQuery(name).queryKey, stored);
    warnOf(stored);
  }

  const restoration = (onClose: () => void) => (
    <RestoreVersion
      version={version.version}
      detail={t.rules.restoreDetail}
      restore={restore}
      queryKey={["alert-rules"]}
      onClose={onClose}
    >
      {() => current !== undefined && <RuleDifference name={name} before={current} after={version.version} />}
    </RestoreVersion>
  );
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content }) => (
          <VersionView
            {...open}
            content={contentOf(content)}
            restoration={may("alerts.write") ? restoration : undefined}
          />
        )}
      </StateView>
    </div>
  );
}
