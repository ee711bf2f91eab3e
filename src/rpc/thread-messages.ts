import type { Behalf } from "./behalf.ts";

interface Asked {
  readonly path: string;
  readonly behalf: Behalf | undefined;
  readonly request: Uint8Array;
}

/**
 * The caller's side of what two threads of a process say to each other over a port. Requests and answers have their form on
 * the wire, in buffers of their own: a port copies all of the buffer that a view is of.
 */
export type CallMessage = { readonly id: number } & (
  | ({ readonly kind: "unary" } & Asked)
  | ({ readonly kind: "download" } & Asked)
  | { readonly kind: "upload"; readonly path: string }
  /** One more request of an upload. */
  | { readonly kind: "part"; readonly request: Uint8Array }
  /** The upload is complete. */
  | { readonly kind: "end" }
  /** One more answer of a download is wanted. */
  | { readonly kind: "next" }
  /** The caller waits no longer. */
  | { readonly kind: "cancel" }
  | { readonly kind: "ready" }
);

type Answer =
  /** The answer to a unary call or an upload, or one of a download. */
  | { readonly kind: "answer"; readonly response: Uint8Array }
  /** Nothing follows of the download. */
  | { readonly kind: "end" }
  /** The status is that of google.rpc. */
  | { readonly kind: "refusal"; readonly status: Uint8Array }
  /** One request of the upload was taken. */
  | { readonly kind: "taken" }
  | { readonly kind: "readiness"; readonly isReady: boolean };

/** The core's side. */
export type AnswerMessage = { readonly id: number } & Answer;
