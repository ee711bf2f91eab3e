/**
 * What the audit log shows of a field. `track`: its value before and after. `ignore`: nothing, it is technical.
 * `secret`: that it changed, and no value.
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
 * The class of each field of `T`, and of each field within those: one that is missing does not compile. Entries of a list
 * share the classes of their kind.
 */
export type Classes<T> = { readonly [K in KeyOf<T> & string]-?: ClassOf<ValueOf<T, K>> };

/** The same for whoever walks through it. */
export interface AnyClasses {
  readonly [field: string]: FieldClass | AnyClasses;
}
