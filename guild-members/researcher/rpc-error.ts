/** Codes of JSON-RPC 2.0. */
export const rpcCodes = { parse: -32_700, invalidRequest: -32_600, unknownMethod: -32_601, invalidParams: -32_602 } as const;

/** An answer that says what is wrong, in words. The SDK's own error class would put its name before them. */
export class RpcError extends Error {
  readonly code: number;
  /** For programs that want to tell the reasons of one code apart. */
  readonly data: { reason: "bad_params" | "unknown_job" | "wrong_state" } | undefined;

  constructor(code: number, message: string, reason?: "bad_params" | "unknown_job" | "wrong_state") {
    super(message);
    this.code = code;
    this.data = reason === undefined ? undefined : { reason };
  }
}

export const badParams = (message: string): RpcError => new RpcError(rpcCodes.invalidParams, message, "bad_params");
export const unknownJob = (jobId: string): RpcError =>
  new RpcError(rpcCodes.invalidParams, `There is no job ${jobId} here.`, "unknown_job");
export const wrongState = (message: string): RpcError => new RpcError(rpcCodes.invalidParams, message, "wrong_state");
