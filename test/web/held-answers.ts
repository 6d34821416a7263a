/** Answers about lists of sessions are kept back until somebody gives them out. */
export const holdAnswers = `
  globalThis.held = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (request, options) => {
    const answer = await fetch(request, options);
    if (!new URL(request.url ?? request, location.href).pathname.endsWith("/api/sessions")) return answer;
    const body = await answer.text();
    await new Promise((resolve) => held.push(resolve));
    return new Response(body, answer);
  };
`;
