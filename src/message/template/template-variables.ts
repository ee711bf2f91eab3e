import { say } from "../../shared/fault-text.ts";
import { jsonPointer } from "../../shared/json-pointer.ts";
import type { TemplateCompileFault, TemplateRenderFault } from "./template-fault.ts";

export type TemplateVariableType = "string" | "number" | "boolean" | "object" | "list";

/** A value that the template expects. It is required if it has no fallback. */
export interface TemplateVariable {
  /** One name or a dotted path: `user.name`. */
  readonly name: string;
  readonly type: TemplateVariableType;
  readonly fallback?: unknown;
}

export type TemplateData = Readonly<Record<string, unknown>>;
export type VariablePath = readonly (string | number)[];

const DATA_POINTER = "/template_data";
const VARIABLE_NAME = /^[A-Za-z_][\w-]{0,63}(?:\.[A-Za-z_][\w-]{0,63}){0,7}$/;
/** Names and dotted paths that may be declared. */
const MAX_LEVELS = 8;
const MAX_LISTED = 100;
const MAX_LISTED_LENGTH = 500;
const FORBIDDEN_SEGMENTS = new Set(["__proto__", "constructor", "prototype"]);
/** Liquid answers these for any list, text or object. */
const COMPUTED_SEGMENTS = new Set(["size", "first", "last"]);

export function checkVariables(variables: readonly TemplateVariable[]): TemplateCompileFault[] {
  const faults: TemplateCompileFault[] = [];
  const seen = new Set<string>();
  for (const [index, { name, type, fallback }] of variables.entries()) {
    const pointer = `/variables/${index}`;
    if (!VARIABLE_NAME.test(name) || name.split(".").some((segment) => FORBIDDEN_SEGMENTS.has(segment))) {
      const message = say("variable_name_made_letters_digits_dots");
      faults.push({ code: "template.variable_name_invalid", pointer: `${pointer}/name`, message });
    } else if (seen.has(name)) {
      const message = say("variable_declared_twice", { name });
      faults.push({ code: "template.variable_duplicate", pointer: `${pointer}/name`, message });
    }
    seen.add(name);
    if (fallback !== undefined && !isOfType(fallback, type)) {
      const message = say("fallback_type", { name, type });
      faults.push({ code: "template.fallback_type", pointer: `${pointer}/fallback`, message });
    }
  }
  return faults;
}

/** Dotted names, at most 100 of each. */
export interface VariableUses {
  /** Used in a text, but not declared. */
  readonly undeclared: readonly string[];
  /** Declared, but not used in any text. */
  readonly unused: readonly string[];
}

/** A declared variable includes everything below it: `user` for `user.name`. */
export function compareUses(
  variables: readonly TemplateVariable[],
  paths: readonly VariablePath[],
): VariableUses {
  const declared = new Set(variables.map(({ name }) => name));
  const used = new Set<string>();
  /** Uses and their parent paths. */
  const touched = new Set<string>();
  const aroundDeclared = new Set(variables.flatMap(({ name }) => namesAround(name.split("."))));
  const undeclared = new Set<string>();
  for (const path of paths) {
    const names = namesAround(path.slice(0, MAX_LEVELS));
    const name = names.at(-1);
    if (name === undefined) continue;
    used.add(name);
    for (const one of names) touched.add(one);
    const isDeclared = aroundDeclared.has(name) || names.some((one) => declared.has(one));
    if (!isDeclared) undeclared.add(name);
  }
  const isUsed = (name: string) =>
    touched.has(name) || namesAround(name.split(".")).some((one) => used.has(one));
  return { undeclared: listed(undeclared), unused: listed([...declared].filter((name) => !isUsed(name))) };
}

/** `user`, `user.name` for the path of `user.name`. */
function namesAround(path: VariablePath): string[] {
  return path.map((_, at) => path.slice(0, at + 1).join("."));
}

function listed(names: Iterable<string>): string[] {
  return [...names].slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_LISTED_LENGTH).toWellFormed());
}

/** The data with fallbacks, without changing the input, and every faulty declared variable. */
export function applyVariables(variables: readonly TemplateVariable[], data: TemplateData) {
  const faults: TemplateRenderFault[] = [];
  let scope: TemplateData = Object.assign(Object.create(null), data);
  for (const { name, type, fallback } of variables) {
    const path = name.split(".");
    const value = lookUp(scope, path);
    if (value !== undefined && value !== null) {
      if (!isOfType(value, type)) faults.push(typeFault(path, type));
      continue;
    }
    const filled = fallback === undefined ? undefined : setPath(scope, path, fallback);
    if (filled) scope = filled;
    else faults.push(missingVariable(path));
  }
  return { scope, faults };
}

export function missingVariable(path: VariablePath, pointer = pointerTo(path)): TemplateRenderFault {
  const variable = path.join(".");
  const message = say("template_needs_variable_not_given", { variable });
  return { code: "template.variable_missing", variable, pointer, message };
}

/** The paths without a value in the data. */
export function missingPaths(paths: readonly VariablePath[], scope: TemplateData): VariablePath[] {
  return paths.filter((path) => lookUp(scope, path) === undefined);
}

function typeFault(path: VariablePath, type: TemplateVariableType): TemplateRenderFault {
  const variable = path.join(".");
  const message = say("variable_type", { variable, type });
  return { code: "template.variable_type", variable, pointer: pointerTo(path), message };
}

function pointerTo(path: VariablePath): string {
  return DATA_POINTER + jsonPointer(path);
}

function lookUp(scope: unknown, path: VariablePath): unknown {
  let value = scope;
  for (const segment of path) {
    if (typeof value === "string" && COMPUTED_SEGMENTS.has(String(segment))) return value;
    if (typeof value !== "object" || value === null) return undefined;
    if (Object.hasOwn(value, segment)) value = (value as Record<string | number, unknown>)[segment];
    else return COMPUTED_SEGMENTS.has(String(segment)) ? value : undefined;
  }
  return value;
}

/** A copy with `value` at the path; nothing if a value that is not an object is on the path. */
function setPath(scope: TemplateData, path: readonly string[], value: unknown): TemplateData | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (rest.length === 0) return { ...scope, [key]: value };
  const inner = Object.hasOwn(scope, key) ? (scope[key] ?? {}) : {};
  if (!isOfType(inner, "object")) return undefined;
  const filled = setPath(inner as TemplateData, rest, value);
  return filled && { ...scope, [key]: filled };
}

function isOfType(value: unknown, type: TemplateVariableType): boolean {
  switch (type) {
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
