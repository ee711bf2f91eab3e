import { X509Certificate } from "node:crypto";
import { createHitCollector } from "../edge/hit-collector.ts";
import { replaceCertificate } from "../edge/https.ts";
import { createReadMailgun } from "../edge/providers/mailgun.ts";
import { readPostmark } from "../edge/providers/postmark.ts";
import { createReadSendgrid, sendgridPublicKey } from "../edge/providers/sendgrid.ts";
import { createReadSes } from "../edge/providers/ses.ts";
import { createSns, fetchText } from "../edge/providers/sns.ts";
import { createRequestCollector } from "../edge/request-collector.ts";
import { createEdgeServer } from "../edge/server.ts";
import type { CoreClient } from "../rpc/client.ts";
import { startBackground } from "../shared/background.ts";
import { type CertificateFiles, openCertificateFiles } from "../shared/certificate-files.ts";
import { loopbackFor } from "./addresses.ts";
import { composeByteBudget, hasCapacity, maxBytesInFlight } from "./byte-budget.ts";
import { listenHttp } from "./listen-http.ts";
import { edgeBackground, hitBackground, requestBackground } from "./listener-background.ts";
import type { Process } from "./process.ts";
import { watchAnswers } from "./watch-answers.ts";

export interface RunningEdge {
  readonly port: number;
  /** For /readyz: each rejects while submissions are impaired here. */
  readonly checks: {
    /** Small submissions are refused. */
    readonly room: () => Promise<void>;
    /** The core does not answer them in time. */
    readonly answers: () => Promise<void>;
  };
}

/** Opens the public HTTP API. */
export async function composeEdge(process: Process, core: CoreClient): Promise<RunningEdge> {
  const { config, clock, log, metrics } = process;
  const { host, port } = config.http;
  const budget = composeByteBudget(process, "edge");
  const answers = watchAnswers(core, clock);
  const certificate = openCertificate(process);
  const requests = createRequestCollector({
    clock,
    send: (batch) => core.requests.recordRequests(batch),
    onLeftOut: (count) => metrics.requestsLeftOut.inc(count),
  });
  // Before the port is opened, so that it is closed after the port.
  for (const work of requestBackground(requests, process)) startBackground(work, process);
  const hits = createHitCollector({ core, clock, onLeftOut: (count) => metrics.hitsLeftOut.inc(count) });
  for (const work of hitBackground(hits, process)) startBackground(work, process);
  const app = createEdgeServer({
    core: { ...core, sendEmail: answers.sendEmail },
    clock,
    log,
    bodyMaxBytes: bodyMaxBytes(process),
    budget,
    keyCacheMs: config.cacheMs,
    trustedProxies: config.http.trustedProxies,
    baseUrl: config.http.baseUrl,
    tls: certificate?.current,
    validateResponses: config.http.validateResponses,
    requests,
    providers: providersOf(process),
    hits,
    onResponse: (method, route, status, seconds) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      if (seconds !== undefined) metrics.httpDuration.observe({ route }, seconds);
    },
  });
  certificate?.onChange((changed) => replaceCertificate(app, changed));
  const listening = await listenHttp(process, app, { name: "edge", setting: "HERMOD_HTTP_PORT", host, port });
  return { ...listening, checks: { room: hasCapacity(budget), answers: answers.inTime } };
}

/** Providers that may post reports, from the settings; undefined: none. */
function providersOf({ config: { providers }, clock, log }: Process) {
  const { token, sesTopics, mailgunKey, sendgridKey } = providers;
  if (token === undefined) return undefined;
  const sns = createSns({ topics: sesTopics, fetchText, now: () => clock.now() });
  return {
    token,
    readers: {
      postmark: readPostmark,
      ...(sesTopics.length > 0 && { ses: createReadSes(sns, log) }),
      ...(mailgunKey !== undefined && { mailgun: createReadMailgun(mailgunKey, clock) }),
      ...(sendgridKey !== undefined && { sendgrid: createReadSendgrid(sendgridPublicKey(sendgridKey)) }),
    },
  };
}

/** Certificate of the settings; undefined: the API uses plain HTTP. */
function openCertificate(process: Process): CertificateFiles | undefined {
  const { config, log } = process;
  const { cert, key } = config.http.tls;
  if (cert === undefined || key === undefined) return undefined;
  const files = openCertificateFiles({ of: "HTTP API", cert, key, log });
  for (const work of edgeBackground(files)) startBackground(work, process);
  warnOfBaseUrl(process, files);
  return files;
}

/** Clients would refuse the addresses that they receive: in links, in first-run.json, in the OpenAPI document. */
function warnOfBaseUrl({ config: { http }, log }: Process, { current }: CertificateFiles): void {
  if (http.baseUrl?.startsWith("http:")) {
    log.warn(
      { baseUrl: http.baseUrl },
      "HERMOD_BASE_URL is an http address, but this port accepts only HTTPS",
    );
  }
  const host = loopbackFor(http.host).replace(/[[\]]/g, "");
  const certificate = new X509Certificate(current.cert);
  if (http.baseUrl === undefined && !(certificate.checkIP(host) ?? certificate.checkHost(host))) {
    log.warn(`HERMOD_HTTP_TLS_CERT is not for ${host}: set HERMOD_BASE_URL to an address that it is for`);
  }
}

/** A body that exceeds the available memory would never be accepted, so it is refused as too large. */
function bodyMaxBytes({ config, log }: Process): number {
  const { bodyMaxBytes: wanted } = config.http;
  const fitting = maxBytesInFlight(config);
  if (fitting >= wanted) return wanted;
  log.warn(
    { bytes: fitting },
    "HERMOD_HTTP_BODY_MAX_BYTES exceeds the memory of this process: larger bodies than this are refused",
  );
  return fitting;
}
