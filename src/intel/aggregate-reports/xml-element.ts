import { XMLParser, XMLValidator } from "fast-xml-parser";
import { firstCharacters } from "../../shared/first-characters.ts";
import { UnreadableError } from "./unreadable-error.ts";

/**
 * An element by the names of its children, without namespaces and attributes. Use only the functions below to read
 * it.
 */
export type XmlElement = Readonly<Record<string, unknown>>;

const TEXT = "#text";
const CDATA = "#cdata";
/** Reports have six levels, extensions a few more. */
const MAX_DEPTH = 32;
/** Maximum length of a value. No domain, selector or comment is longer. */
const MAX_TEXT = 1_000;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const REFERENCE = /&(?:([a-z]{2,4})|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** An ampersand that begins no reference. Company names contain them. */
const BARE_AMPERSAND = /&(?!(?:[a-z][a-z\d]{0,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** An address in angle brackets. Element names contain no "@". */
const BARE_ADDRESS = /<([^<>\s"'=/]{1,64}@[^<>\s"'=/]{1,253})>/g;

/**
 * The parser keeps no state between documents. Entities are decoded here, so that no entity of a document is
 * expanded.
 */
const parser = new XMLParser({
  processEntities: false,
  // A report id may resemble a number and would lose digits.
  parseTagValue: false,
  ignoreAttributes: true,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  maxNestedTags: MAX_DEPTH,
});

/**
 * Parses an element with its contents, without a document type. The result takes up to fifty times the memory of the
 * text, so use it for short texts.
 * @throws UnreadableError if the text is not well-formed, too deep, or has names such as `__proto__`
 */
export function parseXml(source: string): XmlElement {
  const xml = source.includes("<![CDATA[")
    ? source
    : source.replace(BARE_AMPERSAND, "&amp;").replace(BARE_ADDRESS, "&lt;$1&gt;");
  // The parser closes open elements itself and does not detect a missing end.
  const validity = XMLValidator.validate(xml);
  if (validity !== true) throw new UnreadableError(`the XML is invalid: ${validity.err.msg}`);
  try {
    return parser.parse(xml) as XmlElement;
  } catch (error) {
    throw new UnreadableError(
      `the XML is refused: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The children with this name that have children themselves. */
export function elementsOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return valuesOf(element, name).filter(isElement);
}

/** The first child with this name that has children. */
export function elementOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return elementsOf(element, name)[0];
}

/** The texts of all children with this name, trimmed and with references decoded. */
export function textsOf(element: XmlElement | undefined, name: string): string[] {
  return valuesOf(element, name).map(textOfValue);
}

/** The first of these texts. Empty: the child has no text. Undefined: there is no such child. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return textsOf(element, name)[0];
}

function valuesOf(element: XmlElement | undefined, name: string): unknown[] {
  if (element === undefined || !Object.hasOwn(element, name)) return [];
  const value = element[name];
  return Array.isArray(value) ? value : [value];
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === "object" && value !== null;
}

function textOfValue(value: unknown): string {
  if (!isElement(value)) return clean(decodeReferences(String(value ?? "")));
  return clean(
    valuesOf(value, TEXT).map(String).map(decodeReferences).join("") + valuesOf(value, CDATA).join(""),
  );
}

function clean(text: string): string {
  return firstCharacters(text.trim(), MAX_TEXT);
}

/** Decodes the references of XML itself. Others stay unchanged. */
function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? reference;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : reference;
  });
}
