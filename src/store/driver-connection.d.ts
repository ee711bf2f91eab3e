declare module "mongodb/lib/cmap/connection.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";
  import type { Document } from "mongodb";

  /** What the driver has for itself: no part of its interface, and with no types. */
  export class Connection extends EventEmitter {
    constructor(socket: Socket, options: object);
    readonly socket: Socket;
    /** Ends it for this reason. */
    cleanup(error: Error): void;
    destroy(): void;
    command(namespace: { readonly db: string }, command: Document, options: object): Promise<Document>;
  }
}
