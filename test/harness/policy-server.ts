import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { IssuedCertificate } from "../../src/shared/issue-certificate.ts";

export interface PolicyServer {
  readonly port: number;
  /** `host path` of every request. */
  readonly requests: readonly string[];
  /** Answers with this policy, or with the function, from now on. */
  answer(policy: string | ((response: ServerResponse) => void)): void;
  close(): Promise<void>;
}

/** An MTA-STS policy server on loopback with this certificate. */
export async function startPolicyServer({ keyPem, pem }: IssuedCertificate): Promise<PolicyServer> {
  const requests: string[] = [];
  let handle: (response: ServerResponse) => void = (response) => response.writeHead(404).end();
  const server = createServer({ key: keyPem, cert: pem }, (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    handle(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    answer: (policy) => {
      handle =
        typeof policy === "string"
          ? (response) => response.writeHead(200, { "content-type": "text/plain" }).end(policy)
          : policy;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
