import { XMLParser, XMLValidator } from "fast-xml-parser";
import { safeDetail } from "../../message/replies/outcome.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import { quotable } from "../quotable.ts";

/** Problems of the image, in sentences. */
export interface ImageFaults {
  /** Problems for which receivers do not show the image. */
  readonly faults: readonly Phrase[];
  /** Problems for which some receivers do not show it. */
  readonly doubts: readonly Phrase[];
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
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return fatal(phrase("bimi.doctype"));
  if (text.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1)
    return fatal(phrase("bimi.many_tags", { count: MAX_TAGS }));
  // The error contains a piece of the document.
  const validity = XMLValidator.validate(text);
  if (validity !== true) return fatal(phrase("bimi.xml_invalid", { detail: parserText(validity.err.msg) }));
  let nodes: readonly XmlNode[];
  try {
    nodes = parser.parse(text) as readonly XmlNode[];
  } catch (error) {
    return fatal(
      phrase("bimi.xml_refused", {
        detail: parserText(error instanceof Error ? error.message : String(error)),
      }),
    );
  }
  const [root] = elementsOf(nodes);
  if (root?.name !== "svg") return fatal(phrase("bimi.no_svg"));
  const faults = [...evaluateRoot(root), ...elementFaults(root)];
  if (/<\?(?!xml\s)/.test(text)) faults.push(phrase("bimi.instructions"));
  const doubts =
    body.length > ADVISED_BYTES ? [phrase("bimi.large", { count: body.length, most: ADVISED_BYTES })] : [];
  const distinct = new Map(faults.map((fault) => [fault.text, fault]));
  return { faults: [...distinct.values()].slice(0, MAX_FAULTS), doubts };
}

function fatal(fault: Phrase): ImageFaults {
  return { faults: [fault], doubts: [] };
}

/** Text of the parser, for the end of a sentence. */
function parserText(text: string): string {
  return safeDetail(text).replace(/\.$/, "");
}

function evaluateRoot({ attributes, children }: Element): Phrase[] {
  const of = new Map(attributes);
  const title = elementsOf(children).find(({ name }) => name === "title");
  const hasTitle = title?.children.some((child) => String(child[TEXT] ?? "").trim() !== "");
  return [
    ...(of.get("baseProfile") === "tiny-ps" ? [] : [phrase("bimi.base_profile")]),
    ...(of.get("version") === "1.2" ? [] : [phrase("bimi.svg_version")]),
    ...(hasTitle ? [] : [phrase("bimi.no_title")]),
    ...(of.has("x") || of.has("y") ? [phrase("bimi.root_place")] : []),
  ];
}

function elementFaults(root: Element): Phrase[] {
  const faults: Phrase[] = [];
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const { name, attributes, children } = element;
    if (FORBIDDEN.includes(name)) faults.push(phrase("bimi.element", { name: quotable(name) }));
    for (const [attribute, value] of attributes)
      if (/^on/i.test(attribute)) faults.push(phrase("bimi.attribute", { name: quotable(attribute) }));
      else if (isForeign(attribute, value)) faults.push(phrase("bimi.external", { value: quotable(value) }));
    const texts = children.map((child) => String(child[TEXT] ?? ""));
    if (name === "style" && texts.some((text) => /@import/i.test(text) || hasForeignUrl(text)))
      faults.push(phrase("bimi.external_style"));
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
