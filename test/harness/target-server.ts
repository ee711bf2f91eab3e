import http from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { TargetKind } from "../../src/alerts/notify/target.ts";

/** A request as the server has read it, with its answer. */
export interface TargetRequest {
  readonly kind: TargetKind;
  /** `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly atMs: number;
  readonly status: number;
}

export interface TargetAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TargetServer {
  readonly requests: readonly TargetRequest[];
  /** URL of a target. Each name is a channel of its own. */
  url(kind: TargetKind, name?: string): string;
  /** Secrets of webhooks: a request with a signature of one of them is accepted. */
  readonly secrets: Set<string>;
  /** Answers before any check; undefined: as the service does. */
  behave: (kind: TargetKind) => TargetAnswer | undefined;
  close(): Promise<void>;
}

const TEAMS_BYTES = 28 * 1024;
/** Header with the time of the test at which a worker began the request: its arrival may be later. */
export const SENT_MS = "x-test-sent-ms";
/** A request may be sent this much earlier than a second after the one before. */
const TOLERANCE_MS = 100;
/** Receivers of webhooks refuse a timestamp that is further from now. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * Accepts requests as incoming webhooks of Slack, workflows of Teams and receivers of webhooks do, and enforces their
 * published limits: one message per second and channel of Slack, sizes of blocks, 28 KB for Teams, signatures.
 * @param nowMs time of the test
 */
export async function startTargetServer(nowMs: () => number): Promise<TargetServer> {
  const requests: TargetRequest[] = [];
  /** Times of the messages of each channel of Slack. */
  const sentMs = new Map<string, number[]>();

  function isSigned(headers: http.IncomingHttpHeaders, body: string): boolean {
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    if (Math.abs(at.getTime() - nowMs()) > MAX_SKEW_MS) return false;
    const signatures = String(headers["webhook-signature"]).split(" ");
    const signed = (secret: string) => new Webhook(secret).sign(String(headers["webhook-id"]), at, body);
    return [...server.secrets].some((secret) => signatures.includes(signed(secret)));
  }

  function answerOf(
    kind: TargetKind,
    path: string,
    headers: http.IncomingHttpHeaders,
    body: string,
  ): TargetAnswer {
    if (!String(headers["content-type"]).startsWith("application/json"))
      return { status: 400, body: "no_json" };
    if (kind === "webhook") {
      return isSigned(headers, body) ? { status: 204 } : { status: 401, body: "signature" };
    }
    if (kind === "teams") {
      if (Buffer.byteLength(body) > TEAMS_BYTES) return { status: 413, body: "too large" };
      const { type, attachments } = JSON.parse(body);
      const isCard = type === "message" && attachments?.[0]?.content?.type === "AdaptiveCard";
      return isCard ? { status: 202 } : { status: 400, body: "no card" };
    }
    const at = Number(headers[SENT_MS] ?? nowMs());
    const before = sentMs.get(path) ?? [];
    if (before.some((one) => Math.abs(at - one) < 1_000 - TOLERANCE_MS))
      return { status: 429, headers: { "retry-after": "1" }, body: "rate_limited" };
    sentMs.set(path, [...before, at]);
    const { text, blocks } = JSON.parse(body);
    const isValid = typeof text === "string" && text !== "" && blocks.length > 0 && blocks.length <= 50;
    return isValid ? { status: 200, body: "ok" } : { status: 400, body: "invalid_blocks" };
  }

  const listener = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { url = "", headers } = request;
    const kind = url.split("/")[1] as TargetKind;
    let answer: TargetAnswer;
    try {
      answer = server.behave(kind) ?? answerOf(kind, url, headers, body);
    } catch (error) {
      answer = { status: 400, body: String(error) };
    }
    const id = String(headers["webhook-id"]);
    requests.push({ kind, id, body, headers, atMs: nowMs(), status: answer.status });
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? "");
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const server: TargetServer = {
    requests,
    url: (kind, name = "channel") => `http://127.0.0.1:${port}/${kind}/${name}`,
    secrets: new Set(),
    behave: () => undefined,
    close: () => {
      listener.closeAllConnections();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
  return server;
}
