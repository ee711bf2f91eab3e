import type { AuditEntry } from "../../api/audits.ts";
import { t } from "../../texts/texts.ts";

/** `policy.make_default` as `Policy: make default`. Later versions may add actions. */
export function actionText(action: string): string {
  const [resource = "", ...verb] = action.split(".");
  const words = (text: string) => text.replaceAll("_", " ");
  const name = words(resource);
  return verb.length === 0 ? capitalized(name) : `${capitalized(name)}: ${words(verb.join(" "))}`;
}

/** The resource of an action, as the filter names it. */
export const filterText = (action: string): string => t.audit.resources[action] ?? actionText(action);

export const nameOfActor = ({ actor: { kind, id, name } }: Pick<AuditEntry, "actor">): string =>
  name || id || (t.audit.actorKinds[kind] ?? kind);

export const nameOfTarget = ({ target: { id, name } }: Pick<AuditEntry, "target">): string => name || id;

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
