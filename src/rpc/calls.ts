import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Fault } from "../shared/fault.ts";
import type { Behalf } from "./behalf.ts";
import {
  type CallDefinition,
  callDefinition,
  type DownloadCallOptions,
  type DownloadClient,
  downloadMethods,
  type UnaryClient,
  unaryMethods,
} from "./bridge.ts";

/** The service whose health check tells whether the core has its store; that of the core itself is the empty name. */
export const READY = "ready";

/** A client-streaming call. */
export interface Upload {
  /** False: the other end has enough for now. */
  write(request: unknown): boolean;
  /** Resolves when there is room again after a `write` that returned false; rejects when the signal is aborted. */
  drained(signal: AbortSignal): Promise<void>;
  end(): void;
  cancel(): void;
}

/** Exactly one of both. */
export type OnAnswer = (refusal: Fault | undefined, response: unknown) => void;

export interface UnaryOptions {
  /** Shorter than the deadline for what has waited already. */
  readonly withinMs?: number | undefined;
  /** The client for which the call is made. */
  readonly behalf?: Behalf | undefined;
}

export type DownloadOptions = Pick<UnaryOptions, "behalf"> & DownloadCallOptions;

/** The way that calls to the core take. */
export interface CoreCalls {
  /** How long the answer to a unary call may take, and to an upload from its end. */
  readonly deadlineMs: number;
  /**
   * How many batches of submissions may be under way: over a wire, few and large ones are the cheapest, and where a
   * call costs nothing no submission needs to wait for another.
   */
  readonly maxBatches: number;
  /**
   * Rejects with a Fault: `core.timeout` after the deadline, `core.unavailable` at once when no core is there,
   * `core.connection_lost` when it went away, or fell silent. What has not been sent moves to another core, and so does
   * what may be repeated.
   */
  unary(definition: CallDefinition, request: unknown, options?: UnaryOptions): Promise<unknown>;
  /**
   * The answers of a server-streaming call, as fast as they are asked for; who stops asking ends the call. Rejects as
   * `unary` does, with `core.timeout` when an answer takes longer than the deadline.
   */
  download(definition: CallDefinition, request: unknown, options?: DownloadOptions): AsyncIterable<unknown>;
  /** Without deadline. */
  upload(definition: CallDefinition, onAnswer: OnAnswer): Promise<Upload>;
  /** True when the core serves, and has what it needs to accept anything. */
  ready(): Promise<boolean>;
  close(): void;
}

/**
 * The unary methods of a service, callable.
 * @param behalf the client for which they are called; missing: the caller speaks for itself
 */
export function unaryClient<S extends GenServiceMethods>(
  { unary }: Pick<CoreCalls, "unary">,
  service: GenService<S>,
  behalf?: Behalf,
): UnaryClient<S> {
  return Object.fromEntries(
    unaryMethods(service).map((method) => {
      const definition = callDefinition(service, method);
      return [method.localName, (request: unknown) => unary(definition, request, { behalf })];
    }),
  ) as UnaryClient<S>;
}

/** The server-streaming methods of a service, callable; parameters as for `unaryClient`. */
export function downloadClient<S extends GenServiceMethods>(
  { download }: Pick<CoreCalls, "download">,
  service: GenService<S>,
  behalf?: Behalf,
): DownloadClient<S> {
  return Object.fromEntries(
    downloadMethods(service).map((method) => {
      const definition = callDefinition(service, method);
      const call = (request: unknown, options?: DownloadCallOptions) =>
        download(definition, request, { ...options, behalf });
      return [method.localName, call];
    }),
  ) as DownloadClient<S>;
}
