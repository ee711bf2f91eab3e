import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";

/** Which way is silent: from who connects, to them, or both. */
export type Direction = "there" | "back" | "both";

/**
 * A network path on loopback that can fall silent as real ones do: nothing is reset, octets wait, and go on when it has
 * healed, as what TCP sends again would.
 */
export interface Link {
  readonly name: string;
  readonly port: number;
  cut(direction: Direction): void;
  heal(): void;
  close(): Promise<void>;
}

export async function openLink(name: string, target: { host: string; port: number }): Promise<Link> {
  const pairs = new Set<{ readonly incoming: Socket; outgoing: Socket | undefined }>();
  let silent: Direction | undefined;
  const isSilent = (direction: "there" | "back") => silent === direction || silent === "both";

  const server = net.createServer({ pauseOnConnect: true }, (incoming) => {
    const pair: { readonly incoming: Socket; outgoing: Socket | undefined } = {
      incoming,
      outgoing: undefined,
    };
    pairs.add(pair);
    incoming.on("error", () => undefined);
    incoming.on("close", () => {
      pairs.delete(pair);
      pair.outgoing?.destroy();
    });
    if (!isSilent("there")) connect(pair);
  });

  function connect(pair: { readonly incoming: Socket; outgoing: Socket | undefined }): void {
    const { incoming } = pair;
    const outgoing = net.connect(target);
    pair.outgoing = outgoing;
    outgoing.on("error", () => undefined);
    outgoing.on("close", () => incoming.destroy());
    incoming.on("data", (chunk) => {
      if (!outgoing.write(chunk)) incoming.pause();
    });
    outgoing.on("drain", () => void (isSilent("there") || incoming.resume()));
    outgoing.on("data", (chunk) => {
      if (!incoming.write(chunk)) outgoing.pause();
    });
    incoming.on("drain", () => void (isSilent("back") || outgoing.resume()));
    incoming.on("end", () => outgoing.end());
    outgoing.on("end", () => incoming.end());
    flow(pair);
  }

  function flow({ incoming, outgoing }: { readonly incoming: Socket; outgoing: Socket | undefined }): void {
    if (!outgoing) return;
    if (isSilent("there")) incoming.pause();
    else incoming.resume();
    if (isSilent("back")) outgoing.pause();
    else outgoing.resume();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    name,
    port: (server.address() as AddressInfo).port,
    cut: (direction) => {
      silent = direction;
      for (const pair of pairs) flow(pair);
    },
    heal: () => {
      silent = undefined;
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
