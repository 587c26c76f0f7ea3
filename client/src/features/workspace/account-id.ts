import { useViewerQuery } from '../../generated/hooks';

/** The account that is signed in, as soon as it is known. */
export const useAccountId = (): string | undefined => useViewerQuery().data?.viewer.account.id;
