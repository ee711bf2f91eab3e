import type { MailNetwork } from "../harness/mail-network.ts";
import type { Link } from "./link.ts";
import type { Supervised } from "./supervised.ts";

/** Where a client submits. */
export interface FrontEnd {
  readonly sendUrl: string;
  readonly smtpPort: number;
}

/** A replica set that can be disturbed. */
export interface Database {
  /** The primary gives up its place to another node. */
  stepDown(): Promise<void>;
  /** kill -9 of the primary; the returned function starts it again. */
  killPrimary(): Promise<() => Promise<void>>;
  /** kill -9 of two of three nodes; the returned function starts them again. */
  loseMajority(): Promise<() => Promise<void>>;
}

/** A running installation with all that can be done to it. */
export interface World {
  readonly name: string;
  readonly frontEnds: readonly FrontEnd[];
  readonly apiKey: string;
  readonly smtp: { readonly username: string; readonly password: string };
  readonly processes: readonly Supervised[];
  readonly links: readonly Link[];
  readonly network: MailNetwork;
  readonly database: Database | undefined;
  /** Fills the disk that the data lie on until the returned function is called; undefined: it is everybody's disk. */
  readonly fillDisk: (() => Promise<() => Promise<void>>) | undefined;
  /** Makes what was put off due now: time passes faster for it. */
  makeDue(): Promise<void>;
  dispose(): Promise<void>;
}
