/** Events of one kind, in order. A test waits for them instead of polling. */
export interface Signal<T> {
  readonly seen: readonly T[];
  /** Called by the tested code for each event. */
  readonly tell: (value: T) => void;
  /** Resolves after this many events, or when the condition holds. */
  until(isEnough: number | ((seen: readonly T[]) => boolean)): Promise<void>;
  /** Resolves at the next event. */
  next(): Promise<T>;
}

/** Ends an endless wait. The duration of a test proves nothing. */
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

/** A latch: waiting code continues when it is open. */
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
