import { clientNetwork } from "./client-network.ts";
import type { SessionPlace } from "./relay-rules.ts";
import { type Reply, reply } from "./reply.ts";

export interface SessionPlacesOptions {
  readonly maxSessions: number;
  /** Of one client, before they authenticate. */
  readonly maxUnauthenticated: number;
  readonly onChange: (open: number) => void;
}

/** Bounds the sessions of the relay, and those of a single client until it has shown a key. */
export function createSessionPlaces(options: SessionPlacesOptions): {
  admit(address: string): SessionPlace | Reply;
} {
  const unauthenticated = new Map<string, number>();
  let open = 0;

  function count(client: string, step: number): void {
    const left = (unauthenticated.get(client) ?? 0) + step;
    if (left > 0) unauthenticated.set(client, left);
    else unauthenticated.delete(client);
  }

  function change(step: number): void {
    open += step;
    options.onChange(open);
  }

  return {
    admit: (address) => {
      const client = clientNetwork(address);
      if (open >= options.maxSessions) return reply(421, "4.3.2", "Too many sessions; try again later");
      if ((unauthenticated.get(client) ?? 0) >= options.maxUnauthenticated) {
        return reply(421, "4.7.0", "Too many sessions from your address");
      }
      let known = false;
      let gone = false;
      change(1);
      count(client, 1);
      const become = (authenticated: boolean) => {
        if (known === authenticated || gone) return;
        known = authenticated;
        count(client, known ? -1 : 1);
      };
      return {
        authenticated: () => become(true),
        unauthenticated: () => become(false),
        release: () => {
          if (gone) return;
          if (!known) count(client, -1);
          gone = true;
          change(-1);
        },
      };
    },
  };
}
