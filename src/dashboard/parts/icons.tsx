/** Kinds of states, which differ in color, icon and word. */
export type Tone = "ok" | "warn" | "bad" | "info" | "idle";

const paths: Readonly<Record<Tone, readonly string[]>> = {
  ok: ["M3 8.5l3.2 3L13 4.5"],
  warn: ["M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2", "M8 4.8V8l2.2 1.6"],
  bad: ["M4 4l8 8M12 4l-8 8"],
  info: ["M2.5 4.5h11v7.5h-11z", "M2.5 4.5L8 9l5.5-4.5"],
  idle: ["M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11"],
};

/** An icon with the same meaning as the text beside it. */
export function ToneIcon({ tone }: { readonly tone: Tone }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[tone].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
