import { isIP } from "node:net";
import { privateHostReason } from "../../shared/destination-address.ts";
import { type Check, checkOf, type Finding } from "./finding.ts";
import type { ScannedHtml } from "./scan-html.ts";

const MAX_LINKS = 1_000;
/** Hosts that hide the target of a link: filters know them from spam. */
const SHORTENERS: ReadonlySet<string> = new Set([
  "bit.ly",
  "buff.ly",
  "cutt.ly",
  "goo.gl",
  "is.gd",
  "ow.ly",
  "rb.gy",
  "rebrand.ly",
  "shorturl.at",
  "t.co",
  "t.ly",
  "tiny.cc",
  "tinyurl.com",
]);
const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"'\])}]{1,2000}/gi;
/** Leftovers of templates for a missing value. */
export const PLACEHOLDER = /\{\{|\{%|\*\|[A-Z]|%7B%7B/;

type Problem = readonly [code: string, severity: Finding["severity"], message: string];

/**
 * Checks the form of all links and pictures. Nothing is fetched: a request could count as a click, or unsubscribe the
 * recipient.
 */
export function checkLinks(html: ScannedHtml | null, text: string | null): Check {
  const inHtml = html?.links ?? [];
  const inText = [...(text ?? "").slice(0, 1_000_000).matchAll(WEB_ADDRESS)].map(([address]) => ({
    href: address.replace(/[.,;:!?]+$/, ""),
    text: "",
  }));
  const links = [...inHtml, ...inText].slice(0, MAX_LINKS);
  const findings = new Map<string, Finding>();
  const add = ([code, severity, message]: Problem, subject: string) =>
    findings.set(`${code} ${subject}`, { code, severity, subject, message });
  for (const { href, text: shown } of links) {
    for (const problem of problemsOf(href.trim(), shown.trim())) add(problem, href.trim());
  }
  for (const { src, alt } of html?.images ?? []) {
    const problem = pictureProblem(src.trim(), alt);
    if (problem) add(problem, src.trim());
  }
  const pictures = html?.images.length ?? 0;
  return checkOf("links", [...findings.values()], () => {
    const counted = `${links.length} ${links.length === 1 ? "link" : "links"}, ${pictures} ${pictures === 1 ? "picture" : "pictures"}`;
    return `${counted}. Hermod checks their form and does not open them.`;
  });
}

function problemsOf(href: string, shown: string): Problem[] {
  if (href === "" || href === "#")
    return [["link.empty", "warning", "The link has no target: give it an address."]];
  if (PLACEHOLDER.test(href))
    return [["link.placeholder", "problem", "The address contains an unfilled placeholder of a template."]];
  if (href.startsWith("#") || /^(?:mailto|tel|sms):/i.test(href)) return [];
  if (/^(?:javascript|vbscript|data|file):/i.test(href))
    return [["link.scheme", "problem", "Mail programs and filters block links of this scheme: use https."]];
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url) {
    const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(href);
    return [
      isRelative
        ? [
            "link.relative",
            "problem",
            "A mail has no address of its own: write the link with https:// and its host.",
          ]
        : ["link.invalid", "problem", "The address is malformed: correct it."],
    ];
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return [["link.scheme", "warning", "Not every mail program opens links of this scheme: use https."]];
  return webProblems(url, shown);
}

function webProblems(url: URL, shown: string): Problem[] {
  const problems: Problem[] = [];
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0 && !host.includes("."))
    problems.push(["link.private", "problem", "Recipients cannot reach this host: it has no public name."]);
  else if (privateHostReason(host) !== undefined)
    problems.push(["link.private", "problem", "Recipients cannot reach this host: it is private."]);
  else if (isIP(host) !== 0)
    problems.push([
      "link.ip_address",
      "warning",
      "Filters know links to IP addresses from spam: use a name.",
    ]);
  if (url.username !== "" || url.password !== "")
    problems.push([
      "link.credentials",
      "problem",
      "The address contains a user name or password: remove it.",
    ]);
  if (url.protocol === "http:")
    problems.push([
      "link.insecure",
      "warning",
      "The link is not encrypted, and browsers warn about it: use https.",
    ]);
  if (SHORTENERS.has(url.hostname.replace(/^www\./, "")))
    problems.push([
      "link.shortener",
      "warning",
      "Filters distrust shortened links: link to the target itself.",
    ]);
  const [, shownHost] =
    /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,24})(?:[/?#:]|$)/i.exec(shown) ?? [];
  if (shownHost && !isSameSite(shownHost.toLowerCase(), url.hostname)) {
    const message = `The link shows ${shownHost} but points to ${url.hostname}, like phishing: show words, or the address itself.`;
    problems.push(["link.mismatch", "warning", message]);
  }
  return problems;
}

/** Subdomains count as the same site, because tracking domains are subdomains. */
function isSameSite(one: string, other: string): boolean {
  const ends = (host: string) => host.split(".").slice(-2).join(".");
  return ends(one) === ends(other);
}

function pictureProblem(src: string, alt: string | null): Problem | undefined {
  if (src === "") return ["picture.empty", "warning", "The picture has no address."];
  if (PLACEHOLDER.test(src))
    return ["picture.placeholder", "problem", "The address contains an unfilled placeholder of a template."];
  if (/^(?:cid|data):/i.test(src)) return alt === null ? noAlt : undefined;
  if (!/^https?:\/\//i.test(src) || !URL.canParse(src))
    return [
      "picture.relative",
      "problem",
      "Recipients cannot load the picture: write its address with https:// and its host.",
    ];
  const host = new URL(src).hostname.replace(/^\[|\]$/g, "");
  if (privateHostReason(host) !== undefined || (isIP(host) === 0 && !host.includes(".")))
    return ["picture.private", "problem", "Recipients cannot load the picture: its host is private."];
  if (/^http:/i.test(src))
    return [
      "picture.insecure",
      "warning",
      "Some mail programs load no pictures without encryption: use https.",
    ];
  return alt === null ? noAlt : undefined;
}

const noAlt: Problem = [
  "picture.no_alt",
  "info",
  "The picture has no alternative text: recipients who block pictures or use screen readers miss its content.",
];
