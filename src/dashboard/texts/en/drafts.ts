// Texts of settings that are edited as form and JSON.

export const drafts = {
  views: { form: "Form", json: "JSON" },
  view: "Show the settings as",
  discard: "Discard changes",
  leaveTitle: "Leave without saving?",
  leave: "Leave",
  stale: "The stored state has changed since you began",
  staleDetail: (at: string) =>
    `Another change was stored at ${at}. Compare both states, and decide which of them to continue with.`,
  staleTheirs: "Use the stored state",
  staleMine: "Continue with mine",
  staleMineDetail: "“Continue with mine” keeps your input. Saving then replaces the stored state.",
  staleSame: "Both states are equal.",
  json: "JSON",
  jsonSyntax: (message: string) =>
    `This is not JSON: ${message}. The form shows the last text that could be read.`,
  jsonShape: (pointer: string) =>
    `${pointer || "The text"} has a type that the form cannot show. The form shows the last text that it could show.`,
  jsonFaults: "Errors",
  line: (line: number) => `line ${line}`,
  unreadable: "Correct the JSON first.",
  stored: "Stored state",
  unsaved: "Unsaved state",
};
