import { memo } from "react";
import { pageNonce } from "./page-nonce.ts";

interface MailDocumentProps {
  /** Name of the frame. */
  readonly title: string;
  /** HTML that Hermod has prepared for a frame. It is untrusted. */
  readonly html: string;
  /** Width in CSS pixels; undefined: all available space. */
  readonly width?: number | undefined;
  /** Color scheme for the mail; undefined: light. */
  readonly scheme?: "light" | "dark";
}

/**
 * HTML that is not stored, in a frame that cannot run scripts or load resources: the frame has an origin of its own, and inherits
 * the policy of the page.
 */
export const MailDocument = memo(function MailDocument({
  title,
  html,
  width,
  scheme = "light",
}: MailDocumentProps) {
  return (
    <iframe
      className="preview"
      title={title}
      srcDoc={withNonce(html, pageNonce())}
      sandbox=""
      data-scheme={scheme}
      style={{ maxWidth: width, colorScheme: scheme }}
    />
  );
});

/** The inherited policy allows a `style` element only with the nonce of the page. A parsed document runs and loads nothing. */
function withNonce(html: string, nonce: string): string {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const style of parsed.querySelectorAll("style")) style.setAttribute("nonce", nonce);
  const type = parsed.doctype ? "<!doctype html>" : "";
  return type + parsed.documentElement.outerHTML;
}
