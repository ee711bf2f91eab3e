import { XMLParser, XMLValidator } from "fast-xml-parser";
import { safeDetail } from "../../message/replies/outcome.ts";
import { quoted } from "../quoted.ts";

/** Problems of the image, in sentences. */
export interface ImageFaults {
  /** Problems for which receivers do not show the image. */
  readonly faults: readonly string[];
  /** Problems for which some receivers do not show it. */
  readonly doubts: readonly string[];
}

/** draft-svg-tiny-ps-abrotman: some receivers reject larger images. */
const ADVISED_BYTES = 32 * 1024;
/** Logos have about ten levels. */
const MAX_DEPTH = 100;
const MAX_FAULTS = 5;
/** Logos have some hundreds. The parser needs quadratic time in their number if text stands between them. */
const MAX_TAGS = 10_000;
/** Elements that run code, animate, link, or load other contents. XML names are case-sensitive. */
const FORBIDDEN: readonly string[] = [
  ...["script", "handler", "listener", "foreignObject", "image", "audio", "video", "animation", "a"],
  ...["animate", "animateColor", "animateMotion", "animateTransform", "mpath", "set", "discard"],
  ...["iframe", "embed", "object"],
];

const TEXT = "#text";
const ATTRIBUTES = ":@";

/** The parser expands no entities and keeps no state between documents. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  jPath: false,
  textNodeName: TEXT,
  maxNestedTags: MAX_DEPTH,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** Format of the parser: one key with the children, and one with the attributes. */
type XmlNode = Readonly<Record<string, unknown>>;

interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly XmlNode[];
}

/**
 * Judges the image by requirements of receivers (draft-svg-tiny-ps-abrotman): its root, its title, and that it
 * contains no active or external contents. This does not validate the whole profile.
 */
export function evaluateImage(body: Buffer): ImageFaults {
  const text = body.toString().replace(/^\ufeff/, "");
  // Entities could stand for anything and are not needed.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return fatal("It has a document type (DOCTYPE).");
  if (text.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1) return fatal(`It has more than ${MAX_TAGS} tags.`);
  // The error contains a piece of the document.
  const validity = XMLValidator.validate(text);
  if (validity !== true) return fatal(`Its XML is invalid: ${safeDetail(validity.err.msg)}`);
  let nodes: readonly XmlNode[];
  try {
    nodes = parser.parse(text) as readonly XmlNode[];
  } catch (error) {
    return fatal(`Its XML is refused: ${safeDetail(error instanceof Error ? error.message : String(error))}`);
  }
  const [root] = elementsOf(nodes);
  if (root?.name !== "svg") return fatal("It is not an SVG: its root element is not svg.");
  const faults = [...evaluateRoot(root), ...elementFaults(root)];
  if (/<\?(?!xml\s)/.test(text)) faults.push("It has processing instructions (<?…?>).");
  const doubts =
    body.length > ADVISED_BYTES
      ? [`It has ${body.length} octets. Some receivers accept at most ${ADVISED_BYTES}.`]
      : [];
  return { faults: [...new Set(faults)].slice(0, MAX_FAULTS), doubts };
}

function fatal(fault: string): ImageFaults {
  return { faults: [fault.endsWith(".") ? fault : `${fault}.`], doubts: [] };
}

function evaluateRoot({ attributes, children }: Element): string[] {
  const of = new Map(attributes);
  const title = elementsOf(children).find(({ name }) => name === "title");
  const hasTitle = title?.children.some((child) => String(child[TEXT] ?? "").trim() !== "");
  return [
    ...(of.get("baseProfile") === "tiny-ps" ? [] : ['Its baseProfile is not "tiny-ps".']),
    ...(of.get("version") === "1.2" ? [] : ['Its version is not "1.2".']),
    ...(hasTitle ? [] : ["It has no title."]),
    ...(of.has("x") || of.has("y") ? ["Its root element has x or y."] : []),
  ];
}

function elementFaults(root: Element): string[] {
  const faults: string[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const { name, attributes, children } = element;
    if (FORBIDDEN.includes(name)) faults.push(`It has the element ${quoted(name)}.`);
    for (const [attribute, value] of attributes)
      if (/^on/i.test(attribute)) faults.push(`It has the attribute ${quoted(attribute)}.`);
      else if (isForeign(attribute, value)) faults.push(`It has an external reference: ${quoted(value)}.`);
    const texts = children.map((child) => String(child[TEXT] ?? ""));
    if (name === "style" && texts.some((text) => /@import/i.test(text) || hasForeignUrl(text)))
      faults.push("Its style has an external reference.");
    waiting.push(...elementsOf(children));
  }
  return faults;
}

function isForeign(attribute: string, value: string): boolean {
  return (attribute === "href" && !value.trim().startsWith("#")) || hasForeignUrl(value);
}

function hasForeignUrl(text: string): boolean {
  return /url\(\s*(?!["']?#)/i.test(text);
}

function elementsOf(nodes: readonly XmlNode[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES && key !== TEXT);
    if (name === undefined) return [];
    const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Readonly<Record<string, unknown>>);
    return [
      {
        name,
        attributes: attributes.map(([key, value]) => [key, String(value)] as const),
        children: (node[name] ?? []) as readonly XmlNode[],
      },
    ];
  });
}
