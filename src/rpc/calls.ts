import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Fault } from "../shared/fault.ts";
import {
  type CallDefinition,
  callDefinition,
  type DownloadCallOptions,
  type DownloadClient,
  downloadMethods,
  type UnaryClient,
  unaryMethods,
} from "./bridge.ts";
import type { CallerIdentity } from "./caller-identity.ts";

/** Service name of the health check that reports whether the core can use its store. The empty name is the core itself. */
export const READY = "ready";

/** A client-streaming call. */
export interface Upload {
  /** False: the other end has enough data for now. */
  write(request: unknown): boolean;
  /** Resolves when there is capacity again after a `write` that returned false. Rejects when the signal is aborted. */
  drained(signal: AbortSignal): Promise<void>;
  end(): void;
  cancel(): void;
}

/** Exactly one of the two is set. */
export type OnAnswer = (refusal: Fault | undefined, response: unknown) => void;

export interface UnaryOptions {
  /** Shorter than the deadline if the request has already waited. */
  readonly withinMs?: number | undefined;
  /** Client for which the call is made. */
  readonly identity?: CallerIdentity | undefined;
}

export type DownloadOptions = Pick<UnaryOptions, "identity"> & DownloadCallOptions;

/** Transport for calls to the core. */
export interface CoreCalls {
  /** Deadline for the response to a unary call, and to an upload after its end. */
  readonly deadlineMs: number;
  /**
   * Maximum number of concurrent batches of submissions. Over a network, few large batches are the cheapest. In one
   * process, a call costs nothing, and no submission needs to wait for another.
   */
  readonly maxBatches: number;
  /**
   * Rejects with a Fault: `core.timeout` after the deadline, `core.unavailable` immediately if there is no core,
   * `core.connection_lost` if the core disconnected or stopped responding. A call that was not sent moves to another
   * core, and so does a call that may be repeated.
   */
  unary(definition: CallDefinition, request: unknown, options?: UnaryOptions): Promise<unknown>;
  /**
   * Responses of a server-streaming call, at the pace of the consumer. Ending the iteration ends the call. Rejects like
   * `unary`, with `core.timeout` if a response takes longer than the deadline.
   */
  download(definition: CallDefinition, request: unknown, options?: DownloadOptions): AsyncIterable<unknown>;
  /** Without a deadline. */
  upload(definition: CallDefinition, onAnswer: OnAnswer): Promise<Upload>;
  /** True when the core serves and can accept submissions. */
  ready(): Promise<boolean>;
  close(): void;
}

/**
 * Callable unary methods of a service.
 * @param identity client for which they are called; missing: the caller itself
 */
export function unaryClient<S extends GenServiceMethods>(
  { unary }: Pick<CoreCalls, "unary">,
  service: GenService<S>,
  identity?: CallerIdentity,
): UnaryClient<S> {
  return Object.fromEntries(
    unaryMethods(service).map((method) => {
      const definition = callDefinition(service, method);
      return [method.localName, (request: unknown) => unary(definition, request, { identity })];
    }),
  ) as UnaryClient<S>;
}

/** Callable server-streaming methods of a service. Parameters as for `unaryClient`. */
export function downloadClient<S extends GenServiceMethods>(
  { download }: Pick<CoreCalls, "download">,
  service: GenService<S>,
  identity?: CallerIdentity,
): DownloadClient<S> {
  return Object.fromEntries(
    downloadMethods(service).map((method) => {
      const definition = callDefinition(service, method);
      const call = (request: unknown, options?: DownloadCallOptions) =>
        download(definition, request, { ...options, identity });
      return [method.localName, call];
    }),
  ) as DownloadClient<S>;
}
