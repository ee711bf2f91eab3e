import { useQueryClient } from "@tanstack/react-query";
import { type Policy, policyQuery, restorePolicy } from "../../api/policies.ts";
import { RestoreVersion } from "../../parts/restore-version.tsx";
import { t } from "../../texts/texts.ts";
import { PolicyDifference } from "./policy-difference.tsx";

interface RestorePolicyProps {
  readonly policy: Policy;
  readonly version: number;
  /** Number of the present state; undefined if it is not loaded. */
  readonly current: number | undefined;
  readonly onClose: () => void;
}

/** Shows the changes of a restoration, and stores the version of a policy again. */
export function RestorePolicy({ policy, version, current, onClose }: RestorePolicyProps) {
  const { name, revision } = policy;
  const queryClient = useQueryClient();

  async function restore(): Promise<void> {
    const stored = await restorePolicy(name, revision, version);
    queryClient.setQueryData(policyQuery(name).queryKey, stored);
  }

  return (
    <RestoreVersion
      version={version}
      detail={t.policies.restoreDetail}
      restore={restore}
      queryKey={["policies"]}
      onClose={onClose}
    >
      {() => current !== undefined && <PolicyDifference name={name} before={current} after={version} />}
    </RestoreVersion>
  );
}
