import type { MessageInitShape } from "@bufbuild/protobuf";
import { auditActions as sentences } from "../../../contracts/common/audit-actions.ts";
import type { ListActionsResponseSchema } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { AuditAction } from "../../rpc/audits.ts";
import type { Dependencies } from "../dependencies.ts";
import { UNAUTHENTICATED_KEPT_MS } from "./refusal-record.ts";

const DAY_MS = 24 * 3_600_000;

/** Actions of Hermod itself, and of clients without a valid session: no method has them. */
export const systemActions: readonly Pick<AuditAction, "name" | "outcomes">[] = [
  { name: "account.first_run", outcomes: ["changed"] },
  { name: "erasure.finish", outcomes: ["changed"] },
  { name: "session.use", outcomes: ["refused"] },
  { name: "suppression.bounce", outcomes: ["changed"] },
  { name: "webhook.disable_failing", outcomes: ["changed"] },
  { name: "webhook.disable_gone", outcomes: ["changed"] },
];

/** Lists all actions that entries can have, as the tables of all areas define them. */
export function createListActions({
  auditActions,
  retention,
}: Pick<Dependencies, "auditActions" | "retention">) {
  const all = [
    ...auditActions.map(({ method, ...action }) => ({
      ...action,
      description: sentences[action.name] ?? `Called ${method}; recorded only if it was refused.`,
    })),
    ...systemActions.map((action) => ({ ...action, description: sentences[action.name] ?? "" })),
  ];
  const actions = all
    .filter(({ outcomes }) => outcomes.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, outcomes, description }) => ({
      name,
      group: name.split(".", 1)[0] ?? "",
      description,
      outcomes: [...outcomes],
    }));
  const answer = {
    actions,
    retentionDays: Math.floor(retention.auditMs / DAY_MS),
    unauthenticatedRetentionDays: Math.floor(Math.min(UNAUTHENTICATED_KEPT_MS, retention.auditMs) / DAY_MS),
  };
  return async (): Promise<MessageInitShape<typeof ListActionsResponseSchema>> => answer;
}
