import { Component, type ReactNode } from "react";

interface PartBoundaryProps {
  readonly children: ReactNode;
  /** Shown in place of children that failed; missing: nothing. */
  readonly fallback?: ReactNode;
}

/** Keeps a fault of one part, or a part that cannot be loaded, from taking the whole page down. */
export class PartBoundary extends Component<PartBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children;
  }
}
