import { useQuery } from "@tanstack/react-query";
import { scheduleDifferenceQuery } from "../../api/oncalls.ts";
import { Differences } from "../../parts/differences.tsx";

interface ScheduleDifferenceProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions of a schedule. */
export function ScheduleDifference({ name, before, after }: ScheduleDifferenceProps) {
  return <Differences query={useQuery(scheduleDifferenceQuery(name, before, after))} />;
}
