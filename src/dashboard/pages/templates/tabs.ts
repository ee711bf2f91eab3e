/** The parts of a template, each on a tab. */
export const templateTabs = ["edit", "versions", "use"] as const;
export type TemplateTab = (typeof templateTabs)[number];

/** The tab in an address; undefined if it does not exist. */
export const readTemplateTab = (name: unknown): TemplateTab | undefined =>
  templateTabs.find((one) => one === name);
