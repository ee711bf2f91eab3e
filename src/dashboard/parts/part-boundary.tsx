import { Component, type ReactNode } from "react";

interface PartBoundaryProps {
  readonly children: ReactNode;
  /** Shown instead of failed children; missing: nothing. */
  readonly fallback?: ReactNode;
}

/** Contains the fault of one part, or a part that cannot be loaded, so that the page stays usable. */
export class PartBoundary extends Component<PartBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children;
  }
}
