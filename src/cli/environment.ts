import type { CoreClient } from "../rpc/client.ts";

/** Output of the command line: a stream, or a collector in a test. */
export interface Output {
  /** @param done called when the text is written, or with the error */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean | undefined;
  /** As in `tty.WriteStream`: respects NO_COLOR, FORCE_COLOR and TERM. */
  hasColors?(): boolean;
}

/** Everything outside the command line that it uses. */
export interface Environment {
  /** Runs this process in these roles: `all`, or a comma-separated list. */
  start(options: { readonly roles: string; readonly holdDelivery: boolean }): Promise<void>;
  connect(): Promise<CoreClient>;
  /**
   * Rewrites the embedded database of the data folder in the settings.
   * @throws Fault with the reason when it cannot
   */
  compact(
    progress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<{ readonly beforeBytes: number; readonly afterBytes: number }>;
  readonly out: Output;
  readonly err: Output;
  /** Input for the file name `-`; missing: standard input. */
  readonly input?: AsyncIterable<Uint8Array | string> | undefined;
  /** Address to which `connect` connects, for messages to people; missing: the one of the settings. */
  readonly coreAddress?: (() => string) | undefined;
  /** Missing: there is no `--version`. */
  readonly version?: string | undefined;
}
