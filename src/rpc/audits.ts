import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";

/** What the audit log has of the calls of a method. */
export interface MethodAudit {
  /**
   * `change`: an entry of each change, written by its transaction. `read`: an entry of each call that is answered.
   * `none`: of refusals alone, where it has an action or is called for a session.
   */
  readonly kind: "change" | "read" | "none";
  /** `resource.verb`; undefined: it follows from the method's name. */
  readonly action: string | undefined;
  /** The field of the request that names the target, by its local name; undefined: none does. */
  readonly target: string | undefined;
}

/** What the audit log has of each method of a service; a method that is not named does not compile. */
export type Audits<S extends GenServiceMethods> = Readonly<Record<keyof S, MethodAudit>>;

/**
 * A method whose changes are in the audit log: its handler passes `context.audit` to the store.
 * @param action `resource.verb`
 * @param target the field of the request that names what is changed, for entries of refusals
 */
export function changes(action: string, target?: string): MethodAudit {
  return { kind: "change", action, target };
}

/** A method whose answers are in the audit log, as they show bodies or are exports; parameters as for `changes`. */
export function reads(action: string, target?: string): MethodAudit {
  return { kind: "read", action, target };
}

/** A method that leaves an entry when it refuses, and no other; parameters as for `changes`. */
export function refusals(action: string, target?: string): MethodAudit {
  return { kind: "none", action, target };
}

/**
 * A method that leaves no entry when it is answered.
 * @param _why the reason, for whoever reads it
 */
export function unaudited(_why: string): MethodAudit {
  return { kind: "none", action: undefined, target: undefined };
}

/** The method shows what its caller could see all the time, and changes nothing. */
export const LOOKS = unaudited("it returns only data that the caller may read, and no bodies");
/** The method is a part of accepting and delivering mail, which has events of its own. */
export const MAIL = unaudited("messages have events of their own");

interface AuditedArea {
  readonly service: GenService<GenServiceMethods>;
  readonly audits: Audits<GenServiceMethods>;
}

/** The action of a method: that of its audit, or what its name says, as `key.list_keys`. */
export function actionOf({ parent, name }: DescMethod, audit: MethodAudit): string {
  if (audit.action !== undefined) return audit.action;
  return `${snake(parent.name.replace(/Service$/, ""))}.${snake(name)}`;
}

/** The actions of all methods of some areas, in the order of the alphabet. */
export function actionsOf(areas: readonly AuditedArea[]): string[] {
  const actions = areas.flatMap(({ service, audits }) =>
    service.methods.map((method) =>
      actionOf(method, audits[method.localName] ?? unaudited("the method has no audit")),
    ),
  );
  return [...new Set(actions)].sort();
}

const snake = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
