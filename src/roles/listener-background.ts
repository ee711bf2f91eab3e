import type { HitCollector } from "../edge/hit-collector.ts";
import type { RequestCollector } from "../edge/request-collector.ts";
import type { BackgroundWork } from "../shared/background.ts";
import type { CertificateFiles } from "../shared/certificate-files.ts";
import type { Process } from "./process.ts";
import { withinTime } from "./readiness.ts";

/** Interval of checks for changed certificate files. */
const CERTIFICATE_MS = 1_000;
const REQUESTS_MS = 1_000;
const HITS_MS = 1_000;

/** Background work of the SMTP listeners. */
export function smtpBackground({ check }: Pick<CertificateFiles, "check">): readonly BackgroundWork[] {
  return [{ name: "certificate of the SMTP listeners", everyMs: CERTIFICATE_MS, run: check }];
}

/** Background work of the public HTTP API over TLS. */
export function edgeBackground({ check }: Pick<CertificateFiles, "check">): readonly BackgroundWork[] {
  return [{ name: "certificate of the HTTP API", everyMs: CERTIFICATE_MS, run: check }];
}

/** Sends the log of requests to the core, and at the end the rest, if the core is available. */
export function requestBackground(
  { flush }: Pick<RequestCollector, "flush">,
  { log }: Pick<Process, "log">,
): readonly BackgroundWork[] {
  return [
    handingOver({
      name: "log of requests",
      everyMs: REQUESTS_MS,
      run: flush,
      stop: flush,
      log,
      whyNot: "the log of requests cannot be written, and the write is retried",
    }),
  ];
}

/** Opens and clicks: requests the key of their tokens in advance, and sends them to the core. */
export function hitBackground(
  { tokens, flush }: Pick<HitCollector, "tokens" | "flush">,
  { log }: Pick<Process, "log">,
): readonly BackgroundWork[] {
  const run = async () => {
    await tokens();
    await flush();
  };
  return [
    handingOver({
      name: "opens and clicks",
      everyMs: HITS_MS,
      run,
      stop: flush,
      log,
      whyNot: "opens and clicks cannot be recorded, and the write is retried",
    }),
  ];
}

interface HandingOver extends Pick<Process, "log"> {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Log message of a failure. */
  readonly whyNot: string;
}

/** Work that sends data to the core regularly. Data that could not be sent is kept, and sent with the next. */
function handingOver({ name, everyMs, run, stop, log, whyNot }: HandingOver): BackgroundWork {
  let isAway = false;
  return {
    name,
    everyMs,
    run: async () => {
      try {
        await run();
        isAway = false;
      } catch (error) {
        // Logged once, because the work is retried every second.
        if (!isAway) log.warn({ err: error }, whyNot);
        isAway = true;
      }
    },
    stop: () => withinTime(stop()),
  };
}
