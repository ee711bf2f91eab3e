import type { CallerIdentity } from "./caller-identity.ts";

interface Asked {
  readonly path: string;
  readonly identity: CallerIdentity | undefined;
  readonly request: Uint8Array;
}

/**
 * Messages of the caller between two threads of a process, over a port. Requests and responses are in wire format, in
 * separate buffers: a port copies the complete buffer of a view.
 */
export type CallMessage = { readonly id: number } & (
  | ({ readonly kind: "unary" } & Asked)
  | ({ readonly kind: "download" } & Asked)
  | { readonly kind: "upload"; readonly path: string }
  /** One more request of an upload. */
  | { readonly kind: "part"; readonly request: Uint8Array }
  /** The upload is complete. */
  | { readonly kind: "end" }
  /** One more response of a download is wanted. */
  | { readonly kind: "next" }
  /** The caller no longer waits. */
  | { readonly kind: "cancel" }
  | { readonly kind: "ready" }
);

type Answer =
  /** Response to a unary call or an upload, or one response of a download. */
  | { readonly kind: "answer"; readonly response: Uint8Array }
  /** The download has ended. */
  | { readonly kind: "end" }
  /** A google.rpc status. */
  | { readonly kind: "refusal"; readonly status: Uint8Array }
  /** One request of the upload was accepted. */
  | { readonly kind: "taken" }
  | { readonly kind: "readiness"; readonly isReady: boolean };

/** Messages of the core. */
export type AnswerMessage = { readonly id: number } & Answer;
