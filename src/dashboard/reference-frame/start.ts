import type { FrameAnswer, FrameInput, FrameMessage, Scheme } from "./messages.ts";

// Runs in the document of the API reference before Scalar. The document has an origin of its own, without storage,
// cookies and network: the page that contains it passes the API document in, and sends the requests that a user tries.

interface WithScalar {
  readonly Scalar?: { createApiReference(element: string, configuration: object): unknown };
}

/** Statuses of answers that cannot have a body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Colors of `look.css`, which have the contrast of WCAG 2.2 AA. Links to Scalar's own services are hidden. */
const STYLES = `
:root {
  --scalar-font: system-ui, sans-serif;
  --scalar-font-code: ui-monospace, monospace;
}
.light-mode {
  --scalar-background-1: #ffffff;
  --scalar-background-2: #f4f4f7;
  --scalar-background-3: #ececf1;
  --scalar-border-color: #e4e4ea;
  --scalar-color-1: #1b1b22;
  --scalar-color-2: #55555f;
  --scalar-color-3: #5d5d6b;
  --scalar-color-accent: #4f46c8;
  --scalar-color-green: #15703d;
  --scalar-color-blue: #1f5fa8;
  --scalar-color-orange: #8a5300;
  --scalar-color-red: #b3261e;
}
.dark-mode {
  --scalar-background-1: #111116;
  --scalar-background-2: #18181f;
  --scalar-background-3: #1f1f28;
  --scalar-border-color: #2a2a35;
  --scalar-color-1: #ececf1;
  --scalar-color-2: #c9c9d2;
  --scalar-color-3: #a5a5b3;
  --scalar-color-accent: #a9a3ff;
  --scalar-color-green: #6fd39a;
  --scalar-color-blue: #86b9f5;
  --scalar-color-orange: #f0b95a;
  --scalar-color-red: #ff9a91;
}
a[href*="scalar.com"] {
  display: none;
}
`;

keepInMemory();
window.addEventListener("message", connect);

/** Scalar keeps choices of its reader in `localStorage`, which this document does not have: they end with the document. */
function keepInMemory(): void {
  const values = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  Object.defineProperty(window, "localStorage", { value: localStorage });
}

function connect({ source, data, ports: [port] }: MessageEvent<FrameInput>): void {
  if (source !== window.parent || !port) return;
  window.removeEventListener("message", connect);
  const report = (message: FrameMessage) => port.postMessage(message);
  port.onmessage = ({ data: scheme }: MessageEvent<Scheme>) => showAs(scheme);
  window.fetch = (input, init) => send(new Request(input, init), port);
  document.addEventListener("click", (event) => followLink(event, report), { capture: true });
  try {
    show(data, () => report({ kind: "shown" }));
  } catch {
    report({ kind: "failed" });
  }
}

function show({ content, scheme }: FrameInput, onLoaded: () => void): void {
  const { Scalar } = window as WithScalar;
  if (!Scalar) throw new Error("The script of the reference is missing.");
  Scalar.createApiReference("#app", {
    content,
    onLoaded,
    customCss: STYLES,
    forceDarkModeState: scheme,
    hideDarkModeToggle: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
    orderSchemaPropertiesBy: "preserve",
    authentication: { preferredSecurityScheme: "apiKeyHeader" },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  });
  showAs(scheme);
}

/** Scalar itself reads the scheme only once. */
function showAs(scheme: Scheme): void {
  document.documentElement.style.colorScheme = scheme;
  document.body.classList.toggle("dark-mode", scheme === "dark");
  document.body.classList.toggle("light-mode", scheme === "light");
}

/** Links within the reference, and to save an answer, stay here; the page opens the others. */
function followLink(event: Event, report: (message: FrameMessage) => void): void {
  const link = event.target instanceof Element ? event.target.closest("a[href]:not([download])") : null;
  const href = link?.getAttribute("href") ?? "#";
  if (href.startsWith("#") || href.startsWith(`${window.location.href.split("#", 1)[0]}#`)) return;
  event.preventDefault();
  report({ kind: "link", href });
}

/** Has the page send a request. @throws TypeError if there is no answer, as `fetch` does */
async function send(request: Request, port: MessagePort): Promise<Response> {
  const body = await request.arrayBuffer();
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<FrameAnswer>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<FrameAnswer>) => resolve(data);
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });
  const { url, method } = request;
  const message: FrameMessage = { kind: "request", url, method, headers: [...request.headers], body };
  port.postMessage(message, [port2, body]);
  const answer = await answered.finally(() => port1.close());
  if ("fault" in answer) throw new TypeError(answer.fault);
  const { status, statusText, headers } = answer;
  const response = new Response(WITHOUT_BODY.has(status) ? null : answer.body, {
    status,
    statusText,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
  // Scalar reads the address, which only an answer of the network has.
  return Object.defineProperty(response, "url", { value: url });
}
