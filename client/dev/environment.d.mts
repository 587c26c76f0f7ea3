export const SECRET: string;

export function serverEnvironment(options: {
  port: number;
  providerPort: number;
  data: string;
  clientId?: string;
}): Record<string, string>;
