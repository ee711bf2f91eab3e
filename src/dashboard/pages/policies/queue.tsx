import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type PolicyHold, type PolicyQueue, policyQueueQuery } from "../../api/policies.ts";
import { Answer } from "../../parts/answer.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Destinations } from "./destinations.tsx";
import { HoldQueue } from "./hold-queue.tsx";
import { Holds } from "./holds.tsx";
import { ReleaseQueue } from "./release-queue.tsx";

/** The dialog that is open: a new hold for a destination, or the release of a hold. */
type Open = { readonly destination: string } | { readonly hold: PolicyHold };

/** Messages that wait under a policy, and the holds that cover them. */
export function Queue({ name }: { readonly name: string }) {
  const query = useQuery(policyQueueQuery(name));
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayChange = may("policies.write");
  return (
    <>
      <StateView query={query}>
        {(queue) => (
          <>
            <State queue={queue} />
            {mayChange && (
              <div>
                <Button variant="default" onClick={() => setOpen({ destination: "" })}>
                  {t.policies.hold}
                </Button>
              </div>
            )}
            <Destinations
              name={name}
              queue={queue}
              {...(mayChange && { onHold: (destination: string) => setOpen({ destination }) })}
            />
            <Holds
              holds={queue.holds}
              {...(mayChange && { onRelease: (hold: PolicyHold) => setOpen({ hold }) })}
            />
          </>
        )}
      </StateView>
      {open && "destination" in open && (
        <HoldQueue name={name} destination={open.destination} onClose={close} />
      )}
      {open && "hold" in open && <ReleaseQueue name={name} hold={open.hold} onClose={close} />}
    </>
  );
}

function State({ queue: { waiting, scheduled, oldest_at, held } }: { readonly queue: PolicyQueue }) {
  return (
    <Answer tone={held ? "warn" : "info"}>
      <p>
        <b>{waiting === 0 ? t.policies.nothingWaits : `${t.policies.waiting(waiting)}.`}</b>{" "}
        {scheduled > 0 && `${t.policies.scheduled(scheduled)}. `}
        {oldest_at && (
          <>
            {t.policies.oldestSince} <Time at={oldest_at} withDay />.
          </>
        )}
      </p>
      <p className="muted">{held ? t.policies.queueHeld : t.policies.queueOpen}</p>
    </Answer>
  );
}
