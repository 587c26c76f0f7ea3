/** What failures are called. The sentences of the API's codes, and what breaks a rule, are the schema's in English. */
import { sentenceOf, type ErrorCode, type Slots } from '../../../generated/errors';
import { defineMessages } from '../messages';

const english = {
  sentence: <Code extends ErrorCode>(code: Code, slots: Slots<Code>): string => sentenceOf(code, slots),
  /** A problem of `checkInput` or of the server, in words that follow the name of a field: `must not be empty`. */
  problem: (problem: string): string => problem,
  streamBroken: 'The live connection broke off. It is being restored.',
  unreadable: 'The answer could not be read. Something between you and the server, such as a proxy, replaced it.',
  timeout: 'The server took too long to answer.',
  stopped: 'The request was stopped.',
  offline: 'You are offline.',
  unreachable: 'The server cannot be reached.',
  unexpected: 'Something unexpected happened in this page.',
  noReason: 'The server refused without a reason.',
  noGraphql: 'The answer is not a GraphQL answer.',
  status: (status: number) => `The server answered with status ${status} instead of a GraphQL answer.`,
};

export type ErrorsTexts = typeof english;
export const t = defineMessages('errors', english);
