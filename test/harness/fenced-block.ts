/**
 * Returns a block that a guide offers for pasting.
 * @param heading of its section, without `##`
 * @param language after the fence
 * @param number of the block in that section, from 0
 */
export function fencedBlock(guide: string, heading: string, language: string, number = 0): string {
  const sections = guide.split(/^##+ /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const fences = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const block = fences.filter(([, found]) => found === language)[number]?.[2];
  if (block === undefined) throw new Error(`The section "${heading}" has no such ${language} block.`);
  return block;
}
