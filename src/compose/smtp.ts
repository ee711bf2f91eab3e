import { readFileSync } from "node:fs";
import type { CoreClient } from "../core/client.ts";
import { listenError } from "../shared/startup-error.ts";
import { createBounceServer } from "../smtp/bounce-server.ts";
import type { ListenerTls, SmtpListener } from "../smtp/listener.ts";
import type { Process } from "./process.ts";

/** A report returns the message that it is about, and says something besides. */
const REPORT_OVERHEAD_BYTES = 1024 * 1024;

/** The SMTP listeners, as far as there are ports for them. */
export async function composeSmtp(
  process: Process,
  core: CoreClient,
): Promise<{ readonly bouncePort: number | undefined }> {
  const { config, log } = process;
  const { HERMOD_BOUNCE_DOMAIN: domain, HERMOD_BOUNCE_HOST: host, HERMOD_BOUNCE_PORT: port } = config;
  if (domain === undefined || port === undefined) return { bouncePort: undefined };
  const server = createBounceServer({
    core: core.bounces,
    domain,
    name: config.HERMOD_HELO_NAME,
    tls: listenerTls(process),
    maxBytes: config.HERMOD_MESSAGE_MAX_BYTES + REPORT_OVERHEAD_BYTES,
    log,
  });
  const bouncePort = await listenSmtp(process, server, {
    name: "bounces",
    setting: "HERMOD_BOUNCE_PORT",
    host,
    port,
  });
  return { bouncePort };
}

function listenerTls({ config }: Process): ListenerTls | undefined {
  const { HERMOD_SMTP_TLS_CERT: cert, HERMOD_SMTP_TLS_KEY: key } = config;
  return cert && key ? { cert: readFileSync(cert), key: readFileSync(key) } : undefined;
}

/**
 * Opens an SMTP server that is drained at the end, and resolves to its port.
 * @throws StartupError naming the setting of its port
 */
async function listenSmtp(
  { config, lifecycle }: Process,
  server: SmtpListener,
  at: { readonly name: string; readonly setting: string; readonly host: string; readonly port: number },
): Promise<number> {
  lifecycle.defer(at.name, () => server.close(config.HERMOD_DRAIN_MS));
  try {
    return await server.listen(at.host, at.port);
  } catch (error) {
    throw listenError(at.setting, at.host, at.port, error);
  }
}
