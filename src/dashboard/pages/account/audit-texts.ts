import type { AuditChange, AuditEntry } from "../../api/audits.ts";
import { compareValues, type Piece } from "../../parts/compare-values.ts";
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

/** A value of a changed field for people: a text without its quotation marks, other values as JSON. */
export const valueText = (json: AuditChange["before"]): string | undefined => {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" && value !== "" ? value : json;
  } catch {
    return json;
  }
};

/**
 * Both values of a changed field, with the differences marked. Texts are compared in parts; a number or another value is
 * different as a whole.
 */
export function compareChange(
  before: string,
  after: string,
): { readonly before: Piece[]; readonly after: Piece[] } {
  const [old, next] = [valueText(before) ?? "", valueText(after) ?? ""];
  if (!isText(before) || !isText(after))
    return { before: [{ text: old, isMarked: true }], after: [{ text: next, isMarked: true }] };
  const { wanted, found } = compareValues(next, old);
  return { before: found, after: wanted };
}

const isText = (json: string) => json.startsWith('"');

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
