import type { Environment, Output } from "../../src/cli/environment.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import type { CoreClient } from "../../src/rpc/client.ts";

/** The parts of the core that a test needs; any other call fails. */
export type CoreStub = { readonly [K in keyof CoreClient]?: Partial<CoreClient[K]> };

export interface Ran {
  readonly code: number;
  readonly out: string;
  /** The same, octet for octet. */
  readonly outBytes: Buffer;
  readonly err: string;
  /** Times that the connection was closed. */
  readonly closed: number;
}

class Collected implements Output {
  readonly #parts: Buffer[] = [];
  readonly isTTY: boolean;
  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }
  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
  write(data: string | Uint8Array, done?: () => void): void {
    this.#parts.push(Buffer.from(data));
    done?.();
  }
}

export type RunOptions = Partial<Environment> & { readonly core?: CoreStub; readonly tty?: boolean };

/** Runs one command line in this process, as `hermod` would. */
export async function runHermod(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { core = {}, tty = false, ...environment } = options;
  const [out, err] = [new Collected(tty), new Collected(tty)];
  let closed = 0;
  const code = await runCommandLine(argv, {
    start: () => Promise.reject(new Error("not started in this test")),
    connect: async () => ({ ...core, close: () => void closed++ }) as CoreClient,
    compact: () => Promise.reject(new Error("not compacted in this test")),
    coreAddress: () => "127.0.0.1:50051",
    ...environment,
    out,
    err,
  });
  return { code, out: out.bytes.toString(), outBytes: out.bytes, err: err.bytes.toString(), closed };
}

/** Standard input, which the file name `-` reads. */
export async function* stdin(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
