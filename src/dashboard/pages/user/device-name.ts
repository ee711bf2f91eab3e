import { t } from "../../texts/texts.ts";

/** The first match in the text of a browser: many also name other browsers. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Name of a browser for people, from its User-Agent. Unknown programs have the beginning of theirs. */
export function deviceName(agent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return t.user.device(browser, system);
  return browser ?? system ?? (agent.slice(0, 40) || t.user.unknownDevice);
}
