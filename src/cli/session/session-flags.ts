/** What may be typed after the commands about sessions, not yet looked at. */
export type HomeFlag = { home?: string };

export type ListFlags = HomeFlag & { status?: string; search?: string; member?: string; limit?: string };

export type NewFlags = HomeFlag & { member?: string[]; model?: string; context?: string; send?: string; detach?: boolean };

export type SendFlags = HomeFlag & { queue?: boolean; detach?: boolean };

export type ShowFlags = HomeFlag & { messages?: string };

export type TailFlags = HomeFlag & { once?: boolean };

export type LimitFlags = HomeFlag & { perMessage?: boolean };

export type DeleteFlags = HomeFlag & { yes?: boolean };

export type QueueFlags = HomeFlag & { send?: boolean; remove?: string };

export type ContextFlags = HomeFlag & { write?: string };

export type ExportFlags = HomeFlag & { format?: string; out?: string; force?: boolean };
