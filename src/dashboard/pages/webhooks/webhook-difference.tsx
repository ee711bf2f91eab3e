import { useQuery } from "@tanstack/react-query";
import { webhookDifferenceQuery } from "../../api/webhooks.ts";
import { Differences } from "../../parts/differences.tsx";

interface WebhookDifferenceProps {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

/** The fields that differ between two versions of an endpoint. */
export function WebhookDifference({ id, before, after }: WebhookDifferenceProps) {
  return <Differences query={useQuery(webhookDifferenceQuery(id, before, after))} />;
}
