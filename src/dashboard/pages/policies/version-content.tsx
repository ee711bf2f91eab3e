import { useQuery } from "@tanstack/react-query";
import { type Policy, policyVersionQuery } from "../../api/policies.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { type OpenVersion, VersionView } from "../../parts/version-view.tsx";
import { contentOf } from "./content.ts";
import { RestorePolicy } from "./restore-policy.tsx";

interface VersionContentProps extends OpenVersion {
  readonly policy: Policy;
}

/** An open version: its content without passwords, and its actions. */
export function VersionContent({ policy, ...open }: VersionContentProps) {
  const { version, current } = open;
  const query = useQuery(policyVersionQuery(policy.name, version.version));
  const may = useMay();
  const mayChange = may("policies.write") && policy.stored_by !== "operator";
  const restoration = (onClose: () => void) => (
    <RestorePolicy policy={policy} version={version.version} current={current} onClose={onClose} />
  );
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content }) => (
          <VersionView
            {...open}
            content={contentOf(content)}
            restoration={mayChange && content.stored_by !== "operator" ? restoration : undefined}
          />
        )}
      </StateView>
    </div>
  );
}
