export interface Account {
  name: string;
  fullName: string;
  email: string;
  role: string;
  may: string;
}

export const ACCOUNTS: readonly Account[];
