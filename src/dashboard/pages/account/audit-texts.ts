import type { AuditEntry } from "../../api/audits.ts";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

/** `policy.make_default` as `Policy: make default`, or in the language of the page. Later versions may add actions. */
export function actionText(action: string): string {
  return ownText(t.server.auditActions, action) ?? fromName(action);
}

function fromName(action: string): string {
  const [resource = "", ...verb] = action.split(".");
  const name = words(resource);
  return verb.length === 0 ? capitalized(name) : `${capitalized(name)}: ${words(verb.join(" "))}`;
}

/** The resource of an action, as the filter names it. */
export const filterText = (action: string): string => t.audit.resources[action] ?? actionText(action);

export const targetKindText = (kind: string): string => ownText(t.server.targetKinds, kind) ?? words(kind);

export const nameOfTarget = ({ target: { id, name } }: Pick<AuditEntry, "target">): string => name || id;

const words = (text: string) => text.replaceAll("_", " ");
const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
