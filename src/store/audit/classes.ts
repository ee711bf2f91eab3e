/**
 * Visibility of a field in the audit log. `track`: its value before and after. `ignore`: not shown, technical.
 * `secret`: that it changed, without values.
 */
export type FieldClass = "track" | "ignore" | "secret";

/** Every key of every member of a union. */
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? NonNullable<T[K]> : never) : never;

/** Values that are shown as a whole. */
type Plain = string | number | boolean | Date;

type ClassOf<V> = [V] extends [Plain | readonly Plain[]]
  ? FieldClass
  : [V] extends [readonly (infer Entry)[]]
    ? "ignore" | "secret" | Classes<Entry>
    : [V] extends [object]
      ? string extends keyof V
        ? FieldClass
        : "ignore" | "secret" | Classes<V>
      : FieldClass;

/**
 * The class of each field of `T`, recursively. A missing field is a compile error. Entries of a list share the
 * classes of their kind.
 */
export type Classes<T> = { readonly [K in KeyOf<T> & string]-?: ClassOf<ValueOf<T, K>> };

/** The same structure for generic traversal. */
export interface AnyClasses {
  readonly [field: string]: FieldClass | AnyClasses;
}
