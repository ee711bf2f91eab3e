import type { Db } from "mongodb";
import type { MailNetwork } from "../harness/mail-network.ts";
import type { Link } from "./link.ts";
import type { Supervised } from "./supervised.ts";

/** Undoes a fault; resolves when all is as before. */
export type Undo = () => Promise<void>;

/** Where a client submits. */
export interface FrontEnd {
  /** The name of the process. */
  readonly name: string;
  readonly sendUrl: string;
  readonly smtpPort: number;
}

/** A replica set that can be disturbed. */
export interface Database {
  /** The primary gives up its place to another node. */
  stepDown(): Promise<void>;
  /** kill -9 of the primary. */
  killPrimary(): Promise<Undo>;
  /** kill -9 of two of three nodes. */
  loseMajority(): Promise<Undo>;
  /** SIGSTOP of the primary or of another node. */
  pauseNode(which: "primary" | "secondary"): Promise<Undo>;
}

/** A running installation with all that can be done to it. */
export interface World {
  readonly name: string;
  readonly frontEnds: readonly FrontEnd[];
  readonly apiKey: string;
  readonly smtp: { readonly username: string; readonly password: string };
  readonly processes: readonly Supervised[];
  /** From each caller to each core. */
  readonly coreLinks: readonly Link[];
  /** From each process that uses the store to each node of it. */
  readonly storeLinks: readonly Link[];
  readonly network: MailNetwork;
  readonly database: Database | undefined;
  /** Fills the disk that the data lie on; undefined: it is everybody's disk. */
  readonly fillDisk: (() => Promise<Undo>) | undefined;
  /** What is asked of the store takes so much longer. */
  slowStore(ms: number): Promise<Undo>;
  withStore<T>(use: (db: Db) => Promise<T>): Promise<T>;
  dispose(): Promise<void>;
}
