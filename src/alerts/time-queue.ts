/** Entry of a queue, with its time. */
export interface Timed {
  readonly id: string;
  readonly at: Date;
}

/** Ids ordered by time. Setting and removing take logarithmic time. */
export interface TimeQueue {
  /** Adds an id, or changes its time. */
  set(id: string, at: Date): void;
  delete(id: string): void;
  /** Entry with the earliest time, and with the first id among those; undefined if the queue is empty. */
  first(): Timed | undefined;
}

/** A binary heap. Changed and removed entries stay in it until they are first. */
export function createTimeQueue(): TimeQueue {
  const heap: Timed[] = [];
  const present = new Map<string, Timed>();

  function before(a: Timed | undefined, b: Timed | undefined): boolean {
    if (!a || !b) return false;
    return a.at < b.at || (a.at.getTime() === b.at.getTime() && a.id < b.id);
  }

  function swap(a: number, b: number): void {
    const [one, other] = [heap[a], heap[b]];
    if (!one || !other) return;
    heap[a] = other;
    heap[b] = one;
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at], heap[parent])) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = before(heap[right], heap[left]) ? right : left;
      if (!before(heap[least], heap[at])) return;
      swap(at, least);
      at = least;
    }
  }

  return {
    set(id, at) {
      const entry = { id, at };
      present.set(id, entry);
      heap.push(entry);
      rise(heap.length - 1);
    },
    delete: (id) => void present.delete(id),
    first() {
      for (;;) {
        const [entry] = heap;
        if (!entry || present.get(entry.id) === entry) return entry;
        const last = heap.pop();
        if (last && heap.length > 0) {
          heap[0] = last;
          sink();
        }
      }
    },
  };
}
