import { useQuery } from "@tanstack/react-query";
import { ruleDifferenceQuery } from "../../api/rules.ts";
import { Differences } from "../../parts/differences.tsx";

interface RuleDifferenceProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions of an alert rule. */
export function RuleDifference({ name, before, after }: RuleDifferenceProps) {
  return <Differences query={useQuery(ruleDifferenceQuery(name, before, after))} />;
}
