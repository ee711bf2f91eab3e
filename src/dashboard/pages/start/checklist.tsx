import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { home } from "../../api/client.ts";
import { ToneIcon } from "../../parts/icons.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import type { Step } from "./steps.ts";

/** The steps with the times of their completion. Open steps link to the pages where they are done. */
export function Checklist({ steps }: { readonly steps: readonly Step[] }) {
  const done = steps.filter(({ doneAt }) => doneAt !== null).length;
  return (
    <>
      <header>
        <h2 id="steps">{t.start.steps}</h2>
        <span className="faint">{t.start.done(done, steps.length)}</span>
      </header>
      <progress className="steps" value={done} max={steps.length} aria-labelledby="steps" />
      <ol className="todo">
        {steps.map(({ name, doneAt }) => (
          <li key={name} className={doneAt === null ? "open" : "done"}>
            <ToneIcon tone={doneAt === null ? "idle" : "ok"} />
            <div>
              <b>{t.start.names[name]}</b>
              <p className="muted">
                {doneAt === null ? (
                  <OpenStep name={name} />
                ) : (
                  <>
                    {t.start.doneAt} <Time at={doneAt} withDay />
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function OpenStep({ name }: { readonly name: Step["name"] }): ReactNode {
  const words = t.start.hints[name];
  if (name === "sent") return words;
  if (name === "key")
    return (
      <Link to="/keys" className="link">
        {words}
      </Link>
    );
  if (name === "domain")
    return (
      <Link to="/domains" className="link">
        {words}
      </Link>
    );
  if (name === "webhook")
    return (
      <Link to="/webhooks" className="link">
        {words}
      </Link>
    );
  if (name === "delivered")
    return (
      <Link to="/policies" className="link">
        {words}
      </Link>
    );
  return (
    <a href={`${home}/docs`} className="link">
      {words}
    </a>
  );
}
