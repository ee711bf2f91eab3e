import type { Db } from "mongodb";
import type { MailNetwork } from "../harness/mail-network.ts";
import type { Link } from "./link.ts";
import type { Supervised } from "./supervised.ts";

/** Undoes a fault, and resolves after the recovery. */
export type Undo = () => Promise<void>;

/** Target of a client's submissions. */
export interface FrontEnd {
  /** The name of the process. */
  readonly name: string;
  readonly sendUrl: string;
  readonly smtpPort: number;
}

/** A replica set that can be disturbed. */
export interface Database {
  /** The primary steps down in favor of another node. */
  stepDown(): Promise<void>;
  /** kill -9 of the primary. */
  killPrimary(): Promise<Undo>;
  /** kill -9 of two of three nodes. */
  loseMajority(): Promise<Undo>;
  /** SIGSTOP of the primary or of another node. */
  pauseNode(which: "primary" | "secondary"): Promise<Undo>;
}

/** A running installation, with all supported disturbances. */
export interface World {
  readonly name: string;
  readonly frontEnds: readonly FrontEnd[];
  readonly apiKey: string;
  readonly smtp: { readonly username: string; readonly password: string };
  readonly processes: readonly Supervised[];
  /** Links from each caller to each core. */
  readonly coreLinks: readonly Link[];
  /** Links from each process that uses the store to each of its nodes. */
  readonly storeLinks: readonly Link[];
  readonly network: MailNetwork;
  readonly database: Database | undefined;
  /** Fills the disk with the data; undefined: the disk is shared. */
  readonly fillDisk: (() => Promise<Undo>) | undefined;
  /** Delays each operation of the store. */
  slowStore(ms: number): Promise<Undo>;
  withStore<T>(use: (db: Db) => Promise<T>): Promise<T>;
  dispose(): Promise<void>;
}
