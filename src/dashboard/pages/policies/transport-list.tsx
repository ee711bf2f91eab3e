import { Button } from "@mantine/core";
import type { NewTransport } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withMoved, withoutItem } from "../../parts/edit-list.ts";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { t } from "../../texts/texts.ts";
import { firstTransport, TransportFields } from "./transport-fields.tsx";

interface TransportListProps {
  readonly transports: readonly NewTransport[];
  /** JSON pointer of the list. */
  readonly at: string;
  /** Name of the rule that has the transports; missing for those of the policy. */
  readonly of?: string;
  readonly faultAt: FaultAt;
  readonly onChange: (transports: NewTransport[]) => void;
}

/** Transports in the order of the attempts. */
export function TransportList({ transports, at, of, faultAt, onChange }: TransportListProps) {
  const nameOf = (index: number) => [of, t.policies.transport(index + 1)].filter(Boolean).join(", ");
  return (
    <>
      {transports.map((transport, index) => (
        <fieldset key={index} className="part" aria-label={nameOf(index)}>
          <div className="spread">
            <b>{nameOf(index)}</b>
            <ListButtons
              name={nameOf(index)}
              at={index}
              count={transports.length}
              onMove={(by) => onChange(withMoved(transports, index, by))}
              onRemove={() => onChange(withoutItem(transports, index))}
            />
          </div>
          <TransportFields
            transport={transport}
            at={`${at}/${index}`}
            faultAt={faultAt}
            onChange={(changed) => onChange(withItem(transports, index, changed))}
          />
        </fieldset>
      ))}
      {faultAt(at) && <p className="fault">{faultAt(at)}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          {...(of !== undefined && { "aria-label": `${t.policies.addTransport}: ${of}` })}
          onClick={() => onChange([...transports, firstTransport])}
        >
          {t.policies.addTransport}
        </Button>
      </div>
    </>
  );
}
