import { setTimeout as sleep } from "node:timers/promises";
import { type Client, connectivityState } from "@grpc/grpc-js";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { type CallerTls, openChannel } from "./channels.ts";
import type { CoreEndpoint } from "./endpoints.ts";
import { probeAddress, probeHealth } from "./probe.ts";

/**
 * `probing`: whether the core answers will be known in a moment. `up`: it did lately. `away`: it did not, and is asked
 * again and again.
 */
export type LinkState = "probing" | "up" | "away";

export interface CoreLinkOptions {
  readonly endpoint: CoreEndpoint;
  readonly tls: CallerTls;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Told of every change of the state. */
  readonly onChange: () => void;
}

/** The way to one core, and whether it leads anywhere: calls are made while it is `up`. */
export interface CoreLink {
  readonly address: string;
  readonly state: LinkState;
  /** Why it is `away`. */
  readonly reason: Fault | undefined;
  /** How many calls were begun and have not ended. */
  readonly underWay: number;
  /** True while calls are under way and nothing was heard for a second: others are better asked now. */
  readonly isQuiet: boolean;
  /** To be called while it is `up`. @throws Fault core.unavailable while there is none */
  readonly client: Client;
  /** Counts a call; the function is to be called with its end. @param heard whether the core has answered it */
  begin(): (heard: boolean) => void;
  close(): void;
}

const PROBE_TIMEOUT_MS = 3_000;
/** The same for a core of which nothing is known yet: calls wait for it no longer than for their answers. */
const FIRST_PROBE_TIMEOUT_MS = 15_000;
const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 500;
const QUIET_MS = 1_000;

/** Connects, and does so for ever, with a new channel each time: one whose packets vanished may need minutes to notice. */
export function openCoreLink({ endpoint, tls, clock, onChange }: CoreLinkOptions): CoreLink {
  const { address } = endpoint;
  let client: Client | undefined;
  /** `become` writes these. */
  let state: LinkState = "probing";
  let reason: Fault | undefined;
  let timeoutMs = FIRST_PROBE_TIMEOUT_MS;
  let underWay = 0;
  let heardAtMs = 0;
  /** Ends the wait of `follow` while the link is up. */
  let doubt: () => void = () => undefined;
  let closed = false;

  function become(next: LinkState, why?: Fault): void {
    timeoutMs = PROBE_TIMEOUT_MS;
    state = next;
    reason = why;
    onChange();
  }

  async function probe(): Promise<Client> {
    if (!client) {
      await probeAddress(address, timeoutMs);
      client = openChannel(endpoint, tls);
    }
    await probeHealth(client, timeoutMs);
    return client;
  }

  /** Resolves when the connection is lost, or a call got no answer. */
  function trouble(of: Client): Promise<void> {
    return new Promise((resolve) => {
      doubt = resolve;
      const channel = of.getChannel();
      const { READY } = connectivityState;
      if (channel.getConnectivityState(false) !== READY) return resolve();
      channel.watchConnectivityState(READY, Number.POSITIVE_INFINITY, () => resolve());
    });
  }

  function hangUp(): void {
    client?.close();
    client = undefined;
  }

  async function follow(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!closed) {
      try {
        const probed = await probe();
        if (closed) break;
        waitMs = FIRST_WAIT_MS;
        become("up");
        await trouble(probed);
        if (closed) break;
        // A channel in doubt is asked itself; one that has lost its connection is replaced.
        if (probed.getChannel().getConnectivityState(false) !== connectivityState.READY) hangUp();
        become("probing");
      } catch (thrown) {
        hangUp();
        if (closed) break;
        become("away", Fault.from(thrown));
        await sleep(waitMs, undefined, { ref: false });
        waitMs = Math.min(2 * waitMs, MOST_WAIT_MS);
      }
    }
    hangUp();
  }

  void follow();
  return {
    address,
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    get underWay() {
      return underWay;
    },
    get isQuiet() {
      return underWay > 0 && clock.monotonicMs() - heardAtMs > QUIET_MS;
    },
    get client() {
      if (!client) throw fault("core.unavailable", { internal: `the core at ${address} was just removed` });
      return client;
    },
    begin: () => {
      const beganAtMs = clock.monotonicMs();
      if (underWay === 0) heardAtMs = beganAtMs;
      underWay++;
      return (heard) => {
        underWay--;
        if (heard) heardAtMs = clock.monotonicMs();
        else if (heardAtMs <= beganAtMs) doubt();
      };
    },
    close: () => {
      closed = true;
      hangUp();
      doubt();
    },
  };
}
