import { setTimeout as sleep } from "node:timers/promises";
import { type Client, connectivityState } from "@grpc/grpc-js";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { type CallerTls, openChannel } from "./channels.ts";
import type { CoreEndpoint } from "./endpoints.ts";
import { probeAddress, probeHealth } from "./probe.ts";

/**
 * `probing`: it will be known in a moment whether the core answers. `up`: it answered recently. `away`: it did not
 * answer, and is probed repeatedly.
 */
export type LinkState = "probing" | "up" | "away";

export interface CoreLinkOptions {
  readonly endpoint: CoreEndpoint;
  readonly tls: CallerTls;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Called for every change of the state. */
  readonly onChange: () => void;
}

/** Connection to one core, with its state. Calls are made while it is `up`. */
export interface CoreLink {
  readonly address: string;
  readonly state: LinkState;
  /** Reason for the state `away`. */
  readonly reason: Fault | undefined;
  /** Number of calls in progress. */
  readonly underWay: number;
  /** True while calls are in progress and no data arrived for a second. Other links are then better. */
  readonly isQuiet: boolean;
  /** Must be called only while the link is `up`. @throws Fault core.unavailable while there is no client */
  readonly client: Client;
  /** Counts a call. The returned function must be called at its end. @param heard whether the core answered it */
  begin(): (heard: boolean) => void;
  close(): void;
}

const PROBE_TIMEOUT_MS = 3_000;
/** Timeout of the first probe: calls wait for it no longer than for their responses. */
const FIRST_PROBE_TIMEOUT_MS = 15_000;
const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 500;
const QUIET_MS = 1_000;

/** Connects forever, with a new channel each time, because a channel with lost packets may need minutes to notice. */
export function openCoreLink({ endpoint, tls, clock, onChange }: CoreLinkOptions): CoreLink {
  const { address } = endpoint;
  let client: Client | undefined;
  /** Written by `become`. */
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

  /** Resolves when the connection is lost, or a call was not answered. */
  function error(of: Client): Promise<void> {
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
        await error(probed);
        if (closed) break;
        // A channel in doubt is probed itself. A channel that lost its connection is replaced.
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
