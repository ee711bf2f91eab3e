/** Index by beginnings of texts, in UTF-16 code units. */
export interface TextHeads<T> {
  /** Returns the entries for all beginnings of a text. */
  candidates(text: string): Iterable<readonly T[]>;
}

interface Node<T> {
  readonly next: Map<string, Node<T>>;
  readonly filed: T[];
}

export function createTextHeads<T>(all: readonly (readonly [head: string, one: T])[]): TextHeads<T> {
  const newNode = (): Node<T> => ({ next: new Map(), filed: [] });
  const root = newNode();
  for (const [head, one] of all) {
    let node = root;
    for (const unit of head.split("")) {
      const next = node.next.get(unit) ?? newNode();
      node.next.set(unit, next);
      node = next;
    }
    node.filed.push(one);
  }

  return {
    *candidates(text) {
      let node: Node<T> | undefined = root;
      for (let at = 0; node; at++) {
        if (node.filed.length > 0) yield node.filed;
        node = at < text.length ? node.next.get(text.charAt(at)) : undefined;
      }
    },
  };
}
