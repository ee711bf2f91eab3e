type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The record without fields that are undefined, so that they are missing like optional fields. */
export function withoutUndefined<T extends object>(record: T): Compact<T> {
  const compact: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) if (value !== undefined) compact[name] = value;
  return compact as Compact<T>;
}
