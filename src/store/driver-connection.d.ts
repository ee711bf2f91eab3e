declare module "mongodb/lib/cmap/connection.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";
  import type { Document } from "mongodb";

  /** An internal class of the driver, without public types. */
  export class Connection extends EventEmitter {
    constructor(socket: Socket, options: object);
    readonly socket: Socket;
    /** Closes the connection for this reason. */
    cleanup(error: Error): void;
    destroy(): void;
    command(namespace: { readonly db: string }, command: Document, options: object): Promise<Document>;
  }
}
