import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type AlertRule, restoreRule, ruleQuery, ruleVersionQuery } from "../../api/rules.ts";
import { StoredVersion } from "../../parts/stored-version.tsx";
import type { OpenVersion } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { warnOf } from "./report-stored.ts";
import { RuleDifference } from "./rule-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly rule: AlertRule;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ rule, ...open }: VersionContentProps) {
  const { version } = open.version;
  const { name } = rule.settings;
  const queryClient = useQueryClient();
  const query = useQuery({
    ...ruleVersionQuery(name, version),
    select: ({ content }) => ({ content: contentOf(content) }),
  });

  async function restore(): Promise<void> {
    const stored = await restoreRule(name, rule.revision, version);
    queryClient.setQueryData(ruleQuery(name).queryKey, stored);
    warnOf(stored);
  }

  return (
    <StoredVersion
      {...open}
      query={query}
      detail={t.rules.restoreDetail}
      restore={restore}
      queryKey={["alert-rules"]}
      difference={(before, after) => <RuleDifference name={name} before={before} after={after} />}
    />
  );
}
