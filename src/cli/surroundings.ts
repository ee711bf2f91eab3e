import type { CoreClient } from "../rpc/client.ts";

/** Where the command line writes: a stream, or what collects in a test. */
export interface Output {
  /** @param done told when it is written, or why not */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean | undefined;
  /** As `tty.WriteStream` has it: heeds NO_COLOR, FORCE_COLOR and TERM. */
  hasColors?(): boolean;
}

/** All that the command line touches outside itself. */
export interface Surroundings {
  /** Runs this process in these roles: `all`, or a comma-separated list. */
  start(options: { readonly roles: string; readonly holdDelivery: boolean }): Promise<void>;
  connect(): Promise<CoreClient>;
  /**
   * Writes the embedded database anew, of the data folder in the settings.
   * @throws Fault saying why not
   */
  compact(
    progress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<{ readonly beforeBytes: number; readonly afterBytes: number }>;
  readonly out: Output;
  readonly err: Output;
  /** What the file name `-` stands for; missing: standard input. */
  readonly input?: AsyncIterable<Uint8Array | string> | undefined;
  /** Where `connect` looks for the core, for messages to people; missing: what the settings say. */
  readonly coreAddress?: (() => string) | undefined;
  /** Missing: there is no `--version`. */
  readonly version?: string | undefined;
}
