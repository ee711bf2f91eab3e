import { useQuery } from "@tanstack/react-query";
import { startQuery } from "../../api/start.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Checklist } from "./checklist.tsx";
import { FromYourProgram } from "./from-your-program.tsx";
import { SendForm } from "./send-form.tsx";
import { stepsOf } from "./steps.ts";

/** The first steps of an account: a message from the page, the same message from a program, and a checklist. */
export function StartPage() {
  const may = useMay();
  const facts = useQuery(startQuery);
  return (
    <>
      <PageHead title={t.start.title} detail={t.start.detail} />
      <div className="two">
        <div className="stack">
          {may("email.send") && <SendForm />}
          <FromYourProgram />
        </div>
        <section className="card" aria-labelledby="steps">
          <StateView query={facts}>{(known) => <Checklist steps={stepsOf(known)} />}</StateView>
        </section>
      </div>
    </>
  );
}
