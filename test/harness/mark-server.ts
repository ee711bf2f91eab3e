import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { publicCa } from "./mail-server.ts";

/** Answer at a path: octets, or a function that writes the response. */
export type MarkAnswer = string | Buffer | ((response: ServerResponse) => void);

export interface MarkServer {
  readonly port: number;
  /** Paths of every request since the last `serve`. */
  readonly requests: string[];
  /** Replaces all answers. */
  serve(answers: Readonly<Record<string, MarkAnswer>>): void;
  close(): Promise<void>;
}

/** A web server on loopback, with a certificate of a public authority for this host. */
export async function startMarkServer(host: string): Promise<MarkServer> {
  const { keyPem, pem } = issueCertificate({ subject: host, issuer: publicCa, names: [host] });
  const requests: string[] = [];
  let answers = new Map<string, MarkAnswer>();
  const server = createServer({ key: keyPem, cert: pem }, ({ url = "" }, response) => {
    requests.push(url);
    const answer = answers.get(url);
    if (typeof answer === "function") answer(response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    serve: (next) => {
      answers = new Map(Object.entries(next));
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
