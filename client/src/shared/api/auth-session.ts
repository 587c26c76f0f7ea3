/** The session between requests and sign-in: `features/sign-in` registers it and `client.ts` reads it. */
export interface AuthSession {
  /** Null if signed out. */
  accountKey(): string | null;
  /** Waits for a pending renewal; null if signed out. */
  token(): Promise<string | null>;
  /** Null if the token is not bound (RFC 9449). */
  prove(token: string, request: ProvenRequest): Promise<string | null>;
  /** The server rejected it. Null if the user has to sign in again. */
  renew(): Promise<string | null>;
  /** Returns false if the user does not sign in again. */
  stepUp(requirement: StepUpRequirement): Promise<boolean>;
  /** Keeps a session that has another token already. */
  end(token: string): Promise<void>;
  signOut(): Promise<void>;
}

export interface StepUpRequirement {
  maxAge: number | undefined;
  /** Accepted classes of the sign-in (`acr`) in order of preference, separated by spaces. */
  acrValues: string | undefined;
}

export interface ProvenRequest {
  /** Omits query and fragment. */
  url: string;
  method: string;
  nonce: string | undefined;
}

const signedOut: AuthSession = {
  accountKey: () => null,
  token: async () => null,
  prove: async () => null,
  renew: async () => null,
  stepUp: async () => false,
  end: async () => {},
  signOut: async () => {},
};

let current = signedOut;

/** Returns a function that removes it. Missing methods behave as if signed out. */
export function connectAuthSession(session: Partial<AuthSession>): () => void {
  const connected = { ...signedOut, ...session };
  current = connected;
  return () => {
    if (current === connected) current = signedOut;
  };
}

export const authSession: AuthSession = {
  accountKey: () => current.accountKey(),
  token: () => current.token(),
  prove: (token, request) => current.prove(token, request),
  renew: () => current.renew(),
  stepUp: requirement => current.stepUp(requirement),
  end: token => current.end(token),
  signOut: () => current.signOut(),
};
