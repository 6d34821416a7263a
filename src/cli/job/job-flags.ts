/** What may be typed after the commands about jobs, not yet looked at. */
export type HomeFlag = { home?: string };

export type DispatchFlags = HomeFlag & { description?: string; config?: string; follow?: boolean };

export type ListFlags = HomeFlag & {
  worker?: string;
  status?: string[];
  filter?: string;
  needsYou?: boolean;
  hidden?: boolean;
  limit?: string;
};

export type ResultFlags = HomeFlag & { out?: string };

export type AnswerFlags = HomeFlag & { question?: string; dismiss?: boolean; follow?: boolean };

export type SureFlags = HomeFlag & { yes?: boolean };

export type HideFlags = HomeFlag & { undo?: boolean };
