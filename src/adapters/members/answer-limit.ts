/** The longest message we take from a member. Longer ones are let pass by unread: neither memory nor time is theirs to use up. */
export const answerLimit = 16 * 1024 * 1024;

export const answerTooLong = `The answer is longer than ${answerLimit / 1024 / 1024} MiB, which is the most the hall takes. Ask the tool for less at a time.`;

export class AnswerTooLong extends Error {
  constructor() {
    super(answerTooLong);
  }
}
