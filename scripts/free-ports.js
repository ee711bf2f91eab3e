/** Settings of a Hermod beside others on this machine: each of its listeners takes a port that is free. */
export const FREE_PORTS = {
  HERMOD_HTTP_HOST: "127.0.0.1",
  HERMOD_HTTP_PORT: "0",
  HERMOD_SMTP_HOST: "127.0.0.1",
  HERMOD_SMTP_PORT: "0",
  HERMOD_GRPC_PORT: "0",
  HERMOD_ADMIN_PORT: "0",
};
