import type { Db } from "mongodb";

/** `before`: the write is not performed; `after`: it is performed, and its answer is lost. */
export type FailureTime = "before" | "after";

export interface FailingDb {
  readonly db: Db;
  /** Whether the failing write was reached. */
  failed(): boolean;
}

const writes = new Set<string | symbol>([
  "insertOne",
  "insertMany",
  "updateOne",
  "updateMany",
  "replaceOne",
  "deleteOne",
  "deleteMany",
  "findOneAndUpdate",
  "bulkWrite",
  "commitTransaction",
]);

/**
 * A database with a failing n-th write, as after a crash or a lost connection. A commit counts as a write.
 * @param isEnd whether all later writes fail too, because the process has ended
 */
export function failingDb(db: Db, nth: number, time: FailureTime, isEnd = false): FailingDb {
  let count = 0;
  let failed = false;

  /** Wraps an object and counts its writes. */
  function counted<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== "function") return value;
        return writes.has(name) ? write(target, value) : value.bind(target);
      },
    });
  }
  function write<T extends object>(target: T, carryOut: Parameters<typeof Reflect.apply>[0]) {
    return async (...args: unknown[]) => {
      const fails = ++count === nth;
      if (isEnd && failed) throw new Error("the process has ended");
      if (fails) failed = true;
      if (fails && time === "before") throw new Error("the process ends here");
      const answer = await Reflect.apply(carryOut, target, args.map(uncounted));
      if (fails) throw new Error("the answer is lost");
      return answer;
    };
  }

  /** The driver identifies its sessions by identity. */
  const sessions = new WeakMap<object, object>();
  const uncounted = (argument: unknown): unknown => {
    if (typeof argument !== "object" || argument === null || !("session" in argument)) return argument;
    return { ...argument, session: sessions.get(argument.session as object) ?? argument.session };
  };
  const reading = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => value.apply(target, args.map(uncounted));
      },
    });

  const client = new Proxy(db.client, {
    get: (target, name) => {
      if (name === "bulkWrite") return write(target, target.bulkWrite);
      if (name !== "startSession") return Reflect.get(target, name, target);
      return () => {
        const session = target.startSession();
        const proxy = counted(session);
        sessions.set(proxy, session);
        return proxy;
      };
    },
  });
  const failing = new Proxy(db, {
    get: (target, name) => {
      if (name === "client") return client;
      if (name === "collection")
        return (collection: string) => counted(reading(target.collection(collection)));
      return Reflect.get(target, name, target);
    },
  });
  return { db: failing, failed: () => failed };
}
