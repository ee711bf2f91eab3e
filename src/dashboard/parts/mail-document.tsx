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
  /** Whether the document has a policy of its own, which allows its styles only as they are. */
  readonly hasPolicy?: boolean;
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
  hasPolicy = false,
}: MailDocumentProps) {
  return (
    <iframe
      className="preview"
      title={title}
      srcDoc={withNonce(hasPolicy ? html : inScheme(html, scheme), pageNonce())}
      sandbox=""
      data-scheme={scheme}
      style={{ maxWidth: width, colorScheme: scheme }}
    />
  );
});

const QUERY = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;

/** A query for colors asks for those of the browser, also in a frame of other colors: a condition on the width decides it. */
const inScheme = (html: string, scheme: "light" | "dark"): string =>
  html.replace(QUERY, (_, asked: string) =>
    asked.toLowerCase() === scheme ? "(min-width: 0)" : "(max-width: 0)",
  );

const STYLE = /<style(?=[\s/>])/gi;

/**
 * The inherited policy allows a `style` element only with the nonce of the page. Without quotes, the nonce cannot end an
 * attribute that contains `<style`. A `DOMParser` would apply the policy of the page before the elements have the nonce.
 */
const withNonce = (html: string, nonce: string): string => html.replace(STYLE, `<style nonce=${nonce} `);
