import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";

/** Audit log entries for the calls of a method. */
export interface MethodAudit {
  /**
   * `change`: an entry for each change, written by its transaction. `read`: an entry for each answered call. `none`:
   * entries only for refusals, if the method has an action or is called for a session.
   */
  readonly kind: "change" | "read" | "none";
  /** `resource.verb`; undefined: derived from the name of the method. */
  readonly action: string | undefined;
  /** Request field with the target, by its local name; undefined: none. */
  readonly target: string | undefined;
}

/** Audit log entries for each method of a service. A missing method does not compile. */
export type Audits<S extends GenServiceMethods> = Readonly<Record<keyof S, MethodAudit>>;

/**
 * A method with changes in the audit log: its handler passes `context.audit` to the store.
 * @param action `resource.verb`
 * @param target request field with the changed resource, for entries of refusals
 */
export function changes(action: string, target?: string): MethodAudit {
  return { kind: "change", action, target };
}

/** A method with responses in the audit log, because they contain bodies or are exports. Parameters as for `changes`. */
export function reads(action: string, target?: string): MethodAudit {
  return { kind: "read", action, target };
}

/** A method with entries only for refusals. Parameters as for `changes`. */
export function refusals(action: string, target?: string): MethodAudit {
  return { kind: "none", action, target };
}

/**
 * A method without entries for answered calls.
 * @param _why the reason, for readers of the code
 */
export function unaudited(_why: string): MethodAudit {
  return { kind: "none", action: undefined, target: undefined };
}

/** The method returns only data that its caller may read at any time, and changes nothing. */
export const READS = unaudited("it returns only data that the caller may read, and no bodies");
/** The method is part of accepting and delivering mail, which has its own events. */
export const MAIL = unaudited("messages have events of their own");

interface AuditedArea {
  readonly service: GenService<GenServiceMethods>;
  readonly audits: Audits<GenServiceMethods>;
  readonly callers: Readonly<Record<string, { readonly session?: object }>>;
}

/** An action of the audit log, as the methods of all areas define it. */
export interface AuditAction {
  /** `resource.verb` */
  readonly name: string;
  /** Outcomes that its entries can have; empty: it has no entries. */
  readonly outcomes: readonly ("changed" | "read" | "refused")[];
  /** Name of a method with the action. */
  readonly method: string;
}

/** Action of a method: that of its audit, or derived from its name, such as `key.list_keys`. */
export function actionOf({ parent, name }: DescMethod, audit: MethodAudit): string {
  if (audit.action !== undefined) return audit.action;
  return `${snake(parent.name.replace(/Service$/, ""))}.${snake(name)}`;
}

/** Actions of all methods of the areas, in alphabetical order. */
export function actionsOf(areas: readonly AuditedArea[]): AuditAction[] {
  const actions = new Map<string, AuditAction>();
  for (const { service, audits, callers } of areas) {
    for (const method of service.methods) {
      const audit = audits[method.localName] ?? unaudited("the method has no audit");
      const name = actionOf(method, audit);
      const isForSessions = callers[method.localName]?.session !== undefined;
      const known = actions.get(name);
      const outcomes = new Set([...(known?.outcomes ?? []), ...outcomesOf(audit, isForSessions)]);
      actions.set(name, { name, outcomes: [...outcomes], method: known?.method ?? method.name });
    }
  }
  return [...actions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function outcomesOf({ kind, action }: MethodAudit, isForSessions: boolean): AuditAction["outcomes"] {
  if (kind === "change") return ["changed", "refused"];
  if (kind === "read") return ["read", "refused"];
  return action !== undefined || isForSessions ? ["refused"] : [];
}

const snake = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
