import { useQuery } from "@tanstack/react-query";
import { inhibitionDifferenceQuery } from "../../api/silences.ts";
import { Differences } from "../../parts/differences.tsx";

interface InhibitionDifferenceProps {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions of an inhibition. */
export function InhibitionDifference({ name, before, after }: InhibitionDifferenceProps) {
  return <Differences query={useQuery(inhibitionDifferenceQuery(name, before, after))} />;
}
