/** What may be typed after the commands about members, not yet looked at. */
export type HomeFlag = { home?: string };

export type SureFlags = HomeFlag & { yes?: boolean };

export type LogFlags = HomeFlag & { follow?: boolean };

export type CallFlags = HomeFlag & { arg?: string[]; out?: string };

export type AddFlags = SureFlags & {
  name?: string;
  description?: string;
  transport?: string;
  env?: string[];
  from?: string;
  only?: string[];
};
