/** Whatever happens of one kind, in its order: a test waits for it instead of asking again and again. */
export interface Signal<T> {
  readonly seen: readonly T[];
  /** To be called, by what is tested, when it happens. */
  readonly tell: (value: T) => void;
  /** Resolves once so many have been seen, or enough by this. */
  until(isEnough: number | ((seen: readonly T[]) => boolean)): Promise<void>;
  /** Resolves when it happens the next time. */
  next(): Promise<T>;
}

/** This ends what would wait for ever; how long a test takes proves nothing. */
const PATIENCE_MS = 120_000;

export function createSignal<T = void>(): Signal<T> {
  const seen: T[] = [];
  let waiting: ((value: T) => void)[] = [];

  function next(): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`It was not signalled in time, after ${seen.length} others.`));
      const timer = setTimeout(late, PATIENCE_MS).unref();
      waiting.push((value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
  }

  return {
    seen,
    tell: (value) => {
      seen.push(value);
      const told = waiting;
      waiting = [];
      for (const tell of told) tell(value);
    },
    until: async (isEnough) => {
      const isOver = () => (typeof isEnough === "number" ? seen.length >= isEnough : isEnough(seen));
      while (!isOver()) await next();
    },
    next,
  };
}

/** A latch: what waits for it goes on once it is open. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
