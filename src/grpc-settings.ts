import { optional, port, text } from "./setting-kinds.ts";
import { parseHostPorts } from "./shared/host-port.ts";

/** Where the gRPC core listens, where other processes find it, and the secrets and certificates of both sides. */
export const grpcSettings = {
  HERMOD_GRPC_HOST: text("127.0.0.1").describe("Address on which the gRPC core listens."),
  HERMOD_GRPC_PORT: port(50051).describe("Port of the gRPC core; 0: any free one."),
  HERMOD_GRPC_ADDRESS: optional()
    .refine(
      (address) => address === undefined || parseHostPorts(address).length > 0,
      "must be host:port, or several of them, comma-separated",
    )
    .describe(
      "host:port of the core for processes that do not run it themselves (edge, smtp, worker, command line); several cores: comma-separated, or a name with several addresses.",
    ),
  HERMOD_GRPC_TOKEN: optional().describe(
    "The operator's secret, with which every method of the core may be called; empty: made at the first start and kept in HERMOD_DATA_DIR.",
  ),
  HERMOD_GRPC_FRONT_END_TOKEN: optional().describe(
    "Secret of front ends (edge, smtp), on them and on the core; empty: on the core as above, elsewhere HERMOD_GRPC_TOKEN is presented.",
  ),
  HERMOD_GRPC_WORKER_TOKEN: optional().describe(
    "Secret of workers in processes of their own, on them and on the core; empty: on the core as above, elsewhere HERMOD_GRPC_TOKEN is presented.",
  ),
  HERMOD_GRPC_TLS_CERT: optional().describe("PEM file: certificate of the core; empty: plain text."),
  HERMOD_GRPC_TLS_KEY: optional().describe("PEM file: private key of the core's certificate."),
  HERMOD_GRPC_TLS_CLIENT_CA: optional().describe(
    "PEM file, on the core: callers must show a certificate of this authority (mutual TLS).",
  ),
  HERMOD_GRPC_TLS_CA: optional().describe(
    "PEM file, on callers: authority of the core's certificate; set it to call the core over TLS.",
  ),
  HERMOD_GRPC_TLS_CLIENT_CERT: optional().describe("PEM file, on callers: certificate to show to the core."),
  HERMOD_GRPC_TLS_CLIENT_KEY: optional().describe("PEM file: private key of that certificate."),
};
