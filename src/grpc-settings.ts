import { optional, port, text } from "./setting-kinds.ts";
import { parseHostPorts } from "./shared/host-port.ts";

/** Address of the gRPC core for itself and for other processes, and the secrets and certificates of both sides. */
export const grpcSettings = {
  HERMOD_GRPC_HOST: text("127.0.0.1").describe("Address on which the gRPC core listens."),
  HERMOD_GRPC_PORT: port(50051).describe("Port of the gRPC core. 0: any free port."),
  HERMOD_GRPC_ADDRESS: optional()
    .refine(
      (address) => address === undefined || parseHostPorts(address).length > 0,
      "must be host:port, or several host:port items, comma-separated",
    )
    .describe(
      "host:port of the core, for processes that do not run it (edge, smtp, worker, command line). Several cores: comma-separated, or one name with several addresses.",
    ),
  HERMOD_GRPC_TOKEN: optional().describe(
    "Secret of the operator, which permits every method of the core. Empty: generated at the first start and stored in HERMOD_DATA_DIR.",
  ),
  HERMOD_GRPC_FRONT_END_TOKEN: optional().describe(
    "Secret of front ends (edge, smtp), set on them and on the core. Empty: the core generates one in HERMOD_DATA_DIR, and front ends use HERMOD_GRPC_TOKEN.",
  ),
  HERMOD_GRPC_WORKER_TOKEN: optional().describe(
    "Secret of workers in separate processes, set on them and on the core. Empty: the core generates one in HERMOD_DATA_DIR, and workers use HERMOD_GRPC_TOKEN.",
  ),
  HERMOD_GRPC_TLS_CERT: optional().describe("PEM file with the certificate of the core. Empty: no TLS."),
  HERMOD_GRPC_TLS_KEY: optional().describe("PEM file with the private key of HERMOD_GRPC_TLS_CERT."),
  HERMOD_GRPC_TLS_CLIENT_CA: optional().describe(
    "PEM file, on the core: certificate authority of client certificates, which callers must then present (mutual TLS).",
  ),
  HERMOD_GRPC_TLS_CA: optional().describe(
    "PEM file, on callers: certificate authority of the core's certificate. Set it to call the core over TLS.",
  ),
  HERMOD_GRPC_TLS_CLIENT_CERT: optional().describe("PEM file, on callers: client certificate for the core."),
  HERMOD_GRPC_TLS_CLIENT_KEY: optional().describe(
    "PEM file, on callers: private key of HERMOD_GRPC_TLS_CLIENT_CERT.",
  ),
};
