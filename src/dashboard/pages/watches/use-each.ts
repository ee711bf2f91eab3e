import { useRef, useState } from "react";
import type { ListedWatch } from "../../api/watches.ts";

interface EachState {
  /** Domains that were changed or refused. */
  readonly done: number;
  readonly failed: readonly { readonly watch: ListedWatch; readonly error: Error }[];
  readonly isRunning: boolean;
  readonly hasEnded: boolean;
}

const initial: EachState = { done: 0, failed: [], isRunning: false, hasEnded: false };

/**
 * Changes domains one by one: the server limits the changes of one user. A refused change does not stop the others.
 * @returns the progress, and a function that begins and resolves to the number of failures
 */
export function useEach(
  watches: readonly ListedWatch[],
  change: (watch: ListedWatch) => Promise<unknown>,
): { readonly state: EachState; readonly run: () => Promise<number> } {
  const [state, setState] = useState(initial);
  const underWay = useRef<Promise<number>>(undefined);

  async function changeAll(): Promise<number> {
    const failed: { watch: ListedWatch; error: Error }[] = [];
    setState({ ...initial, isRunning: true });
    for (const [index, watch] of watches.entries()) {
      await change(watch).catch((error: unknown) => {
        failed.push({ watch, error: error instanceof Error ? error : new Error(String(error)) });
      });
      setState({ done: index + 1, failed: [...failed], isRunning: true, hasEnded: false });
    }
    setState((former) => ({ ...former, isRunning: false, hasEnded: true }));
    return failed.length;
  }

  // A double click begins once.
  const run = () => (underWay.current ??= changeAll());
  return { state, run };
}
