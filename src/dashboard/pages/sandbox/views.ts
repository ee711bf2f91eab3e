/** The forms in which a captured message is shown. */
export const sandboxViews = ["preview", "text", "headers", "checks"] as const;
export type SandboxView = (typeof sandboxViews)[number];
