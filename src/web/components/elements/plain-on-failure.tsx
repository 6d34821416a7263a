"use client";

import { Component } from "react";
import type { ReactNode } from "react";
import { PlainPassage } from "./plain-passage.tsx";

type PlainOnFailureProps = { text: string; children: ReactNode };

/** Shows the text itself if its formatted form cannot be drawn, so that one text never takes the page away. */
export class PlainOnFailure extends Component<PlainOnFailureProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PlainPassage text={this.props.text} /> : this.props.children;
  }
}
