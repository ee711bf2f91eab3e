import type { CoreClient } from "../rpc/client.ts";
import { startBackground } from "../shared/background.ts";
import { type CertificateFiles, openCertificateFiles } from "../shared/certificate-files.ts";
import { listenError, StartupError } from "../shared/startup-error.ts";
import { createBounceServer } from "../smtp/bounce-server.ts";
import type { SmtpListener } from "../smtp/listener.ts";
import { createRelay } from "../smtp/relay-server.ts";
import type { SendingKey } from "./data-dir.ts";
import { smtpBackground } from "./listener-background.ts";
import type { Process } from "./process.ts";
import { selfSignedCertificate } from "./self-signed.ts";

/** A report returns its message, with additional text. */
const REPORT_OVERHEAD_BYTES = 1024 * 1024;

export interface SmtpPorts {
  readonly port: number;
  /** undefined: no port with implicit TLS. */
  readonly tlsPort: number | undefined;
  readonly bouncePort: number | undefined;
}

export interface SmtpParts {
  /** Path of the folder. */
  readonly dataDir: string;
  /** Sending key of the first account; undefined: unknown here. */
  readonly sendingKey: SendingKey | undefined;
}

/** Opens the relay, and the bounce server if there is a bounce domain. */
export async function composeSmtp(process: Process, core: CoreClient, parts: SmtpParts): Promise<SmtpPorts> {
  const certificate = await openCertificate(process, parts.dataDir);
  const relayPorts = await listenRelay(process, core, parts.sendingKey, certificate);
  return { ...relayPorts, bouncePort: await listenBounces(process, core, certificate) };
}

async function listenRelay(
  process: Process,
  core: CoreClient,
  firstKey: SendingKey | undefined,
  certificate: CertificateFiles,
) {
  const { config, lifecycle, log, metrics } = process;
  const { host, port, tlsPort } = config.smtp;
  const relay = createRelay({
    submissions: core.submissions,
    name: config.smtp.heloName,
    tls: certificate.current,
    maxBytes: config.limits.messageBytes,
    maxSessions: config.smtp.maxSessions,
    proxyNetworks: config.smtp.proxyNetworks,
    insecureCredential: config.smtp.insecureLoopback ? insecureKey(process, firstKey) : undefined,
    log,
    onSessions: (open) => metrics.smtpSessions.set(open),
    onAuthFailure: (reason) => metrics.smtpAuthFailures.inc({ reason }),
    onAnswer: ({ code, enhanced }) =>
      metrics.smtpMessages.inc({
        outcome: code === 250 ? "accepted" : "refused",
        code: `${code} ${enhanced}`,
      }),
  });
  const listeners: SmtpListener[] = [];
  // Together, because both share the drain time.
  lifecycle.defer("relay", async (drainMs) => {
    await Promise.all(listeners.map((listener) => listener.close(drainMs)));
  });
  const listen = (kind: "starttls" | "implicit-tls", setting: string, at: number) => {
    const listener = relay.createListener(kind);
    listeners.push(listener);
    certificate.onChange((tls) => listener.replaceCertificate(tls));
    return listenSmtp(listener, { setting, host, port: at });
  };
  return {
    port: await listen("starttls", "HERMOD_SMTP_PORT", port),
    tlsPort: tlsPort === undefined ? undefined : await listen("implicit-tls", "HERMOD_SMTPS_PORT", tlsPort),
  };
}

async function listenBounces(
  process: Process,
  core: CoreClient,
  certificate: CertificateFiles,
): Promise<number | undefined> {
  const { config, clock, lifecycle, log } = process;
  const { domain, host, port } = config.bounces;
  if (domain === undefined || port === undefined) return undefined;
  const withTls = config.smtp.tls.cert !== undefined;
  if (config.bounces.postmasterAddress === undefined) {
    log.warn(
      `mail to postmaster@${domain} is refused: set HERMOD_POSTMASTER_ADDRESS (RFC 5321 section 4.5.1)`,
    );
  }
  const server = createBounceServer({
    core: core.bounces,
    domain,
    clock,
    name: config.smtp.heloName,
    tls: withTls ? certificate.current : undefined,
    maxBytes: config.limits.messageBytes + REPORT_OVERHEAD_BYTES,
    proxyNetworks: config.smtp.proxyNetworks,
    log,
  });
  if (withTls) certificate.onChange((tls) => server.replaceCertificate(tls));
  lifecycle.defer("bounces", (drainMs) => server.close(drainMs));
  return listenSmtp(server, { setting: "HERMOD_BOUNCE_PORT", host, port });
}

/** Certificate of the settings, or a self-signed one. */
async function openCertificate(process: Process, dataDir: string): Promise<CertificateFiles> {
  const { config, log } = process;
  const { cert, key } = config.smtp.tls;
  if (cert === undefined) {
    log.warn(
      "the SMTP relay uses a self-signed certificate: set HERMOD_SMTP_TLS_CERT for clients on other machines",
    );
  }
  const pair = cert && key ? { cert, key } : await selfSignedCertificate(dataDir, config.smtp.heloName);
  const files = openCertificateFiles({ of: "SMTP listeners", ...pair, log });
  for (const work of smtpBackground(files)) startBackground(work, process);
  return files;
}

/** @throws StartupError when there is no key to send with */
function insecureKey({ config, log }: Process, firstKey: SendingKey | undefined): SendingKey {
  log.warn("HERMOD_SMTP_INSECURE_LOOPBACK: every process on this machine can send");
  const [username = "", password = ""] = config.smtp.insecureKey?.split(":") ?? [];
  const key = config.smtp.insecureKey ? { username, password } : firstKey;
  if (key?.username && key.password) return { username: key.username, password: key.password };
  throw new StartupError(
    "HERMOD_SMTP_INSECURE_KEY: must be set to key:password, because HERMOD_DATA_DIR has no first-run.json.",
  );
}

/**
 * Opens a listener and resolves to its port.
 * @throws StartupError naming the setting of its port
 */
async function listenSmtp(
  listener: SmtpListener,
  at: { readonly setting: string; readonly host: string; readonly port: number },
): Promise<number> {
  try {
    return await listener.listen(at.host, at.port);
  } catch (error) {
    throw listenError(at.setting, at.host, at.port, error);
  }
}
