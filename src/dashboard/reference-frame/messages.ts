// Messages between the page of the API reference and its frame. All but the first use a port of their own.

export type Scheme = "light" | "dark";

/** The parts of an OpenAPI document that the page reads or changes. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly servers?: readonly { readonly url: string }[];
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>;
  };
}

/** First message of the page, with the port for the other messages. The page then sends each change of the scheme. */
export interface FrameInput {
  readonly content: ApiDocument;
  readonly scheme: Scheme;
}

/** A request for the page to send. The answer goes to the port of the message. */
export interface FrameRequest {
  readonly kind: "request";
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty: the request has no body. */
  readonly body: ArrayBuffer;
}

/** A message of the frame. */
export type FrameMessage =
  | FrameRequest
  | { readonly kind: "shown" | "failed" }
  /** The user follows a link; `href` as written in the document. */
  | { readonly kind: "link"; readonly href: string };

/** Result of a request. */
export type FrameAnswer =
  | {
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: ArrayBuffer;
    }
  /** Sentence for the user: there is no answer. */
  | { readonly fault: string };
