import { useQuery } from "@tanstack/react-query";
import { policyDifferenceQuery } from "../../api/policies.ts";
import { Differences } from "../../parts/differences.tsx";

interface PolicyDifferenceProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions of a policy. */
export function PolicyDifference({ name, before, after }: PolicyDifferenceProps) {
  return <Differences query={useQuery(policyDifferenceQuery(name, before, after))} />;
}
