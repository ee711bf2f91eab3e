import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import {
  type BuiltInTemplate,
  builtInTemplateQuery,
  type PreviewBody,
  textPreviewQuery,
} from "../../api/templates.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { CreateTemplate } from "./create-template.tsx";
import { bodyOf, textOf } from "./draft-text.ts";
import { Gallery } from "./gallery.tsx";
import { PreviewView } from "./preview-view.tsx";

const route = getRouteApi("/inside/templates/-/new");

/** Starts a template: from a built-in one, or without a text. */
export function NewTemplatePage() {
  const { from } = route.useSearch();
  return from === undefined ? <Choice /> : <Chosen key={from} name={from} />;
}

function Choice() {
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHead
        title={t.templates.newTitle}
        detail={t.templates.galleryDetail}
        above={
          <Link to="/templates" className="link">
            {t.templates.title}
          </Link>
        }
      >
        {may("templates.write") && (
          <Button variant="default" onClick={() => setCreating(true)}>
            {t.templates.createEmpty}
          </Button>
        )}
      </PageHead>
      <Gallery />
      {isCreating && <CreateTemplate onClose={() => setCreating(false)} />}
    </>
  );
}

function Chosen({ name }: { readonly name: string }) {
  const query = useQuery(builtInTemplateQuery(name));
  return <StateView query={query}>{(builtIn) => <BuiltIn builtIn={builtIn} />}</StateView>;
}

function BuiltIn({ builtIn }: { readonly builtIn: BuiltInTemplate }) {
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const body: PreviewBody = useMemo(
    () => ({ ...bodyOf(textOf(builtIn)), data: builtIn.example_data }),
    [builtIn],
  );
  const preview = useQuery(textPreviewQuery(body));
  return (
    <>
      <PageHead
        title={ownText(t.server.builtIns, builtIn.name)?.title ?? builtIn.title}
        detail={ownText(t.server.builtIns, builtIn.name)?.description ?? builtIn.description}
        above={
          <Link to="/templates/-/new" className="link">
            {t.templates.gallery}
          </Link>
        }
      >
        {may("templates.write") && <Button onClick={() => setCreating(true)}>{t.templates.use}</Button>}
      </PageHead>
      <section className="card" aria-label={t.templates.preview}>
        <div className="body stack">
          <StateView query={preview}>{(shown) => <PreviewView preview={shown} />}</StateView>
        </div>
      </section>
      {isCreating && <CreateTemplate builtIn={builtIn} onClose={() => setCreating(false)} />}
    </>
  );
}
