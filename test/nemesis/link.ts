import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";

/** Silent direction: from the connecting side, to it, or both. */
export type Direction = "there" | "back" | "both";

/**
 * A network path on loopback that can fall silent like a real one: nothing is reset, octets wait, and continue after
 * it has healed, like TCP retransmissions.
 */
export interface Link {
  /** Name of the connecting side. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
  cut(direction: Direction): void;
  /** Delays all traffic by this time, in both directions. */
  slow(delayMs: number): void;
  heal(): void;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly from: string;
  readonly to: string;
  readonly target: { readonly host: string; readonly port: number };
}

interface Pair {
  readonly incoming: Socket;
  /** undefined: not connected yet. */
  outgoing: Socket | undefined;
}

export async function openLink({ from, to, target }: LinkOptions): Promise<Link> {
  const pairs = new Set<Pair>();
  let silent: Direction | undefined;
  let delayMs = 0;
  const isSilent = (direction: "there" | "back") => silent === direction || silent === "both";

  const server = net.createServer({ pauseOnConnect: true }, (incoming) => {
    const pair: Pair = { incoming, outgoing: undefined };
    pairs.add(pair);
    incoming.on("error", () => undefined);
    incoming.on("close", () => {
      pairs.delete(pair);
      pair.outgoing?.destroy();
    });
    if (!isSilent("there")) connect(pair);
  });

  function connect(pair: Pair): void {
    const { incoming } = pair;
    const outgoing = net.connect(target);
    pair.outgoing = outgoing;
    outgoing.on("error", () => undefined);
    outgoing.on("close", () => incoming.destroy());
    carry(incoming, outgoing, "there");
    carry(outgoing, incoming, "back");
    flow(pair);
  }

  function carry(source: Socket, sink: Socket, direction: "there" | "back"): void {
    const late: { readonly dueMs: number; readonly deliver: () => void }[] = [];
    let timer: NodeJS.Timeout | undefined;

    function send(deliver: () => void): void {
      if (delayMs === 0 && late.length === 0) {
        deliver();
        return;
      }
      late.push({ dueMs: performance.now() + delayMs, deliver });
      timer ??= setTimeout(sendDue, delayMs);
    }

    function sendDue(): void {
      timer = undefined;
      while (late[0] && late[0].dueMs <= performance.now()) late.shift()?.deliver();
      if (late[0]) timer = setTimeout(sendDue, late[0].dueMs - performance.now());
    }

    source.on("data", (chunk) => {
      send(() => {
        if (!sink.write(chunk)) source.pause();
      });
    });
    source.on("end", () => send(() => sink.end()));
    source.on("close", () => clearTimeout(timer));
    sink.on("drain", () => void (isSilent(direction) || source.resume()));
  }

  function flow({ incoming, outgoing }: Pair): void {
    if (!outgoing) return;
    if (isSilent("there")) incoming.pause();
    else incoming.resume();
    if (isSilent("back")) outgoing.pause();
    else outgoing.resume();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    from,
    to,
    port: (server.address() as AddressInfo).port,
    cut: (direction) => {
      silent = direction;
      for (const pair of pairs) flow(pair);
    },
    slow: (ms) => {
      delayMs = ms;
    },
    heal: () => {
      silent = undefined;
      delayMs = 0;
      for (const pair of pairs) {
        if (pair.outgoing) flow(pair);
        else connect(pair);
      }
    },
    close: async () => {
      for (const { incoming, outgoing } of pairs) {
        incoming.destroy();
        outgoing?.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
