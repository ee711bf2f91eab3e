import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Policy, type PolicyVersion, policyVersionQuery } from "../../api/policies.ts";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf } from "./content.ts";
import { RestoreVersion } from "./restore-version.tsx";

interface VersionContentProps {
  readonly policy: Policy;
  readonly version: PolicyVersion;
  /** Number of the present state; undefined if the list has not loaded it. */
  readonly current: number | undefined;
  readonly onCompare: (pair: { readonly before: number; readonly after: number }) => void;
}

/** An open version: its content without passwords, and its actions. */
export function VersionContent({ policy, version, current, onCompare }: VersionContentProps) {
  const { version: number, current: isCurrent } = version;
  const query = useQuery(policyVersionQuery(policy.name, number));
  const may = useMay();
  const [isRestoring, setRestoring] = useState(false);
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content }) => (
          <>
            <div className="row">
              {number > 1 && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => onCompare({ before: number - 1, after: number })}
                >
                  {t.policies.itsChanges}
                </Button>
              )}
              {!isCurrent && current !== undefined && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => onCompare({ before: number, after: current })}
                >
                  {t.policies.compareCurrent}
                </Button>
              )}
              {!isCurrent &&
                may("policies.write") &&
                policy.stored_by !== "operator" &&
                content.stored_by !== "operator" && (
                  <Button variant="default" size="xs" onClick={() => setRestoring(true)}>
                    {t.policies.restore}
                  </Button>
                )}
            </div>
            <pre className="smtp wrapped">{JSON.stringify(contentOf(content), null, 2)}</pre>
          </>
        )}
      </StateView>
      {isRestoring && (
        <RestoreVersion
          policy={policy}
          version={number}
          current={current}
          onClose={() => setRestoring(false)}
        />
      )}
    </div>
  );
}
