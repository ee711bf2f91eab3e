/** What a handler knows of the call besides its request. */
export interface HandlerContext {
  /** Names this call in logs, faults and, for a submission, its messages. */
  readonly traceId: string;
  /** The IP address of the gRPC peer. */
  readonly peerAddress: string;
}
