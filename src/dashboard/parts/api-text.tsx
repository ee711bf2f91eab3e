/** A text that the API has only in English. Screen readers read it so on pages in other languages (WCAG 3.1.2). */
export function ApiText({ children }: { readonly children: string }) {
  return <span lang="en">{children}</span>;
}
