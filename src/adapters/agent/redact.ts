/** Takes secrets out of a text that is about to be shown. Values too short to be a secret would only garble it. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length >= 8).reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
}
