/** For people: `2026-11-21 07:43 UTC`. */
export function minuteText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
