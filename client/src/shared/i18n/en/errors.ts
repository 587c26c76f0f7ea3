/** API errors and violations have the schema's text. */
import { errorMessage, type ErrorCode, type Slots } from '../../../generated/errors';
import type { Violation } from '../../../generated/traitql';
import { defineMessages } from '../messages';

const english = {
  sentence: <Code extends ErrorCode>(code: Code, slots: Slots<Code>): string => errorMessage(code, slots),
  /** Translates a message whose slots are filled in. */
  filled: (_code: string, message: string): string => message,
  /** Follows a field name: `must not be empty`. */
  problem: (violation: Violation): string => violation.problem,
  outOfRange: (min: number, max: number): string => `Must be between ${min} and ${max}.`,
  streamBroken: 'Live updates were interrupted. Reconnecting…',
  unreadable:
    'The response couldn’t be read. Something between you and the server, such as a proxy, may have replaced it.',
  timeout: 'The server took too long to respond.',
  stopped: 'The request was canceled.',
  offline: 'You are offline.',
  unreachable: 'Can’t reach the server.',
  unexpected: 'Something went wrong on this page.',
  noReason: 'The server rejected the request without a reason.',
  noGraphql: 'The response is not a GraphQL response.',
  status: (status: number) => `The server responded with status ${status} instead of a GraphQL response.`,
};

export type ErrorsTexts = typeof english;
export const t = defineMessages('errors', english);
