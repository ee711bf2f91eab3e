import type { Socket } from "node:net";

/** Key of an open connection, the same for its encrypted socket and the socket below it. */
export function connectionEnds({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(" ");
}
